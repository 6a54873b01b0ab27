import type { OutgoingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import type { Operation } from '../../contract/contract.js';

/** An operation of the contract and Nest's handler for it. */
export interface OperationRoute extends Operation {
  /** Sent with every answer of the operation. */
  readonly headers: OutgoingHttpHeaders;
  /** What Express calls `req.route`: the path as Nest has it, `/v1/things/:thingId`. */
  readonly route: { readonly path: string };
  handler?: RequestHandler;
}
