import type { RequestHandler } from 'express';
import type { Operation } from '../../contract/contract.js';
import type { FixedHeaders } from './fixed-headers.js';

/** An operation of the contract and Nest's handler for it. */
export interface OperationRoute extends Operation {
  /** Part of every response of the operation. */
  readonly headers: FixedHeaders;
  /** Express' `req.route`, with the path as Nest writes it: `/v1/things/:thingId`. */
  readonly route: { readonly path: string };
  handler?: RequestHandler;
}
