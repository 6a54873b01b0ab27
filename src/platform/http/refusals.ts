import { STATUS_CODES } from 'node:http';
import { ErrorBody } from '../errors/error-body.js';
import type { OutageLog } from '../errors/outage-log.js';
import { Overloaded } from '../errors/overloaded.js';
import type { OperationRoutes } from './operation-routes.js';
import { hasBody } from './request/body-length.js';
import type { EdgeRequest } from './request/edge-request.js';
import { COMMON_HEADERS, type FixedHeaders, RETRY_AFTER } from './request/fixed-headers.js';
import type { OperationRoute } from './request/operation-route.js';
import type { Outcomes } from './outcomes/outcomes.js';
import { pathOf } from './request/path-of.js';
import { REQUEST_ID } from './outcomes/request-id.js';
import type { Exchange } from './load/client-connection.js';

const OVERLOADED = ErrorBody.ofDomainError(new Overloaded());
const TEXT = OVERLOADED.toJson();
const HEADERS = {
  'Content-Type': 'application/json',
  'Content-Length': TEXT.length,
  'Retry-After': RETRY_AFTER,
};
const FLAT_HEADERS = Object.entries(HEADERS).flat();

/** Sends the 503 at minimum cost: an overloaded service sends little else. */
export class Refusals {
  readonly #heads = new Map<OperationRoute | undefined, string>();

  constructor(
    private readonly routes: OperationRoutes,
    private readonly outcomes: Outcomes,
    private readonly outages: OutageLog,
  ) {}

  send({ request, response }: Exchange): void {
    this.outages.addFailure(OVERLOADED.message, undefined);
    // Determines the headers of the response.
    request.operation = this.#operationOf(request);
    request.isChecked = true;
    response.writeHead(OVERLOADED.status, FLAT_HEADERS).end(TEXT, 'latin1');
  }

  /** The whole response; undefined when Node must decide about the body or the connection. */
  messageFor(request: EdgeRequest): string | undefined {
    if (!isPlain(request)) return undefined;
    this.outages.addFailure(OVERLOADED.message, undefined);
    request.operation = this.#operationOf(request);
    const { operation, requestId } = request;
    const head = this.#heads.get(operation) ?? headWith(operation?.headers ?? COMMON_HEADERS);
    this.#heads.set(operation, head);
    this.outcomes.refused(request, requestId, OVERLOADED.status, TEXT.length);
    return `${head}${REQUEST_ID}: ${requestId}\r\n\r\n${TEXT}`;
  }

  #operationOf({ method, url }: EdgeRequest): OperationRoute | undefined {
    return this.routes.operationOf(method, pathOf(url));
  }
}

function isPlain(request: EdgeRequest): boolean {
  const { method, httpVersion, headers } = request;
  const { upgrade, expect } = headers;
  return (
    method === 'GET' && httpVersion === '1.1' && !hasBody(request) && upgrade === undefined && expect === undefined
  );
}

/** All but the id and the body. Without a date, which a 503 need not have (RFC 9110, section 6.6.1). */
function headWith({ lines }: FixedHeaders): string {
  const { status } = OVERLOADED;
  const fields = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}${lines}`;
}
