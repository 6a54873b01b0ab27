import type { Contract, Operation } from '../../contract/contract.js';
import { ownStatuses } from '../../contract/own-errors.js';
import type { DeclaredResponse } from '../../contract/responses/declared-response.js';
import { assertAccepts } from './own-headers.js';
import { AFTER_MIDDLEWARE } from './protocol-responses.js';

/** What the middleware adds to OPTIONS. It allows the headers that a preflight asks for. */
const FOR_OPTIONS = {
  'Access-Control-Allow-Methods': ['GET,HEAD,PUT,PATCH,POST,DELETE'],
  'Access-Control-Allow-Headers': ['a', 'authorization,content-type'],
  Vary: ['Origin, Access-Control-Request-Headers'],
};

/** Throws a StartError for a schema of the contract that refuses what the service sends because of CORS_ORIGINS. */
export function assertCors(
  { operations, protocolResponses }: Contract,
  origins: readonly string[],
  exposed: readonly string[],
): void {
  const common = {
    'Access-Control-Allow-Origin': origins,
    'Access-Control-Expose-Headers': [exposed.join(',')],
  };
  for (const operation of operations) {
    const Vary = [operation.mediaTypes ? 'Origin, Accept' : 'Origin'];
    for (const [status, response] of operation.responses) {
      if (ownStatuses(operation).includes(status)) assertAll(response, status, { ...common, Vary });
      // A handler may replace the other headers, so what is sent is unknown.
      else if (leavesVary(operation, response)) assertAll(response, status, { Vary });
    }
  }
  for (const status of AFTER_MIDDLEWARE) {
    const response = protocolResponses.get(status);
    if (!response) continue;
    if (status === 204 || status === 404) assertAll(response, status, { ...common, ...FOR_OPTIONS });
    if (status !== 204) assertAll(response, status, { ...common, Vary: ['Origin'] });
  }
}

function assertAll(
  response: DeclaredResponse,
  status: number,
  sent: Readonly<Record<string, readonly string[]>>,
): void {
  for (const [name, values] of Object.entries(sent)) assertAccepts(response, status, name, values, 'CORS_ORIGINS');
}

/** Whether a handler need not set a Vary: the contract accepts that of the service. */
function leavesVary({ mediaTypes }: Operation, { headers }: DeclaredResponse): boolean {
  const rule = headers.find(({ name }) => name === 'vary');
  return mediaTypes !== undefined && rule?.violationOf('Accept') === undefined;
}
