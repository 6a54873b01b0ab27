import {
  createServer,
  IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http';
import type { ErrorBody } from '../../errors/error-body.js';
import type { RequestIds } from '../outcomes/request-id.js';
import { checkRequest } from '../request/check-request.js';
import { isIncomplete, markAnsweredEarly } from './early-responses.js';
import { closeAfterUpgrade, rejectUnparsable } from './parser-failure.js';
import { type ArrivalTimeouts, serverOptions } from './server-options.js';

export interface PlainRequest extends IncomingMessage {
  readonly requestId: string;
}

type Respond = (request: PlainRequest, response: ServerResponse, refusal: ErrorBody | undefined) => Promise<void>;

/**
 * A server beside that of the operations, for short responses. A request that it cannot read gets an Error body;
 * `refusal` is the error for one that RFC 9112 does not allow.
 */
export function createPlainServer(timeouts: ArrivalTimeouts, requestIds: RequestIds, respond: Respond): Server {
  class Request extends IncomingMessage implements PlainRequest {
    get requestId(): string {
      return requestIds.of(this.headers);
    }
  }
  class Response extends ServerResponse<Request> {
    override writeHead(status: number, ...rest: unknown[]): this {
      if (isIncomplete(this.req)) markAnsweredEarly(this.req);
      return super.writeHead(status, ...(rest as [OutgoingHttpHeaders?]));
    }
  }
  const listen: RequestListener<typeof Request, typeof Response> = (request, response) => {
    closeAfterUpgrade(request, response);
    const refusal = checkRequest(request);
    // The next request may have no certain start.
    if (refusal) response.setHeader('Connection', 'close');
    void respond(request, response, refusal);
  };
  const server = createServer(
    { ...serverOptions(timeouts), IncomingMessage: Request, ServerResponse: Response },
    listen,
  );
  // Node's own response to an unknown expectation has no body.
  server.on('checkExpectation', listen);
  rejectUnparsable(server, () => undefined);
  return server;
}
