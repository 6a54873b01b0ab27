import type { Request, Response } from 'express';
import type { OperationRoute } from './operation-route.js';

/** Express' request, with the operation of the contract. */
export interface EdgeRequest extends Request {
  operation?: OperationRoute;
}

export interface EdgeResponse extends Response {
  req: EdgeRequest;
  sendJson(status: number, text: string): void;
}
