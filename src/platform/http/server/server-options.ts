import type { ServerOptions } from 'node:http';

/** Milliseconds. */
export interface ArrivalTimeouts {
  /** For a client to send its headers. */
  readonly headersTimeout: number;
  /** For a client to send its whole request. */
  readonly requestTimeout: number;
  /** For which an idle connection is kept open. */
  readonly keepAliveTimeout: number;
}

/** Milliseconds between two checks for requests that arrive too slowly. */
const CHECKING_INTERVAL = 500;

/** Options of a Node server that leaves no response without a body to Node. */
export function serverOptions({ headersTimeout, requestTimeout, keepAliveTimeout }: ArrivalTimeouts): ServerOptions {
  return {
    headersTimeout: Math.min(headersTimeout, requestTimeout),
    requestTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval: CHECKING_INTERVAL,
    // Node's own check answers without a body; `checkRequest` responds with an Error.
    requireHostHeader: false,
  };
}
