import type { RequestHandler } from 'express';
import type { Operation } from '../../contract/contract.js';
import type { FixedHeaders } from '../fixed-headers.js';

/** An operation of the contract and Nest's handler for it. */
export interface OperationRoute extends Operation {
  /** Sent with every answer of the operation. */
  readonly headers: FixedHeaders;
  /** What Express calls `req.route`: the path as Nest has it, `/v1/things/:thingId`. */
  readonly route: { readonly path: string };
  handler?: RequestHandler;
}
