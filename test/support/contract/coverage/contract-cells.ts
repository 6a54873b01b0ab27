import type { Contract, Operation } from '../../../contract/contract.js';
import type { Exchange } from '../../http/exchange.js';
import type { Match } from '../match-target.js';
import { UNREADABLE, operationInputs } from './operation-inputs.js';

/** One item of coverage that a run of all tests must exercise. The reporter, which is JavaScript, reads it as JSON. */
export interface Cell {
  /** `listPets GET /pets`, or `any request` for a response outside all operations. */
  readonly subject: string;
  /** `status`, or an input: `query limit`. */
  readonly aspect: string;
  readonly name: string;
  /** Whether the service must reject the request. */
  readonly rejected?: boolean;
}

const ANY_REQUEST = 'any request';

export function contractCells(contract: Contract): Cell[] {
  return [
    ...contract.operations.flatMap((operation) => [
      ...statusCells(subjectOf(operation), operation.responses),
      ...operationInputs(operation).flatMap(({ name: aspect, cells }) =>
        cells.map(({ name, valid }) => ({ subject: subjectOf(operation), aspect, name, rejected: !valid })),
      ),
    ]),
    ...statusCells(ANY_REQUEST, contract.protocolResponses),
  ];
}

/** The cells that a response fills. A rejection fills the cell of an invalid input only if it is the only invalid one. */
export function filledCells(exchange: Exchange, match: Match, by: 'operation' | 'protocol'): Cell[] {
  const { status } = exchange.response;
  const { operation } = match;
  if (by === 'protocol' || !operation) return [{ subject: ANY_REQUEST, aspect: 'status', name: String(status) }];
  return [
    { subject: subjectOf(operation), aspect: 'status', name: String(status) },
    ...inputCellsFilled(exchange, match, operation),
  ];
}

function inputCellsFilled(exchange: Exchange, match: Match, operation: Operation): Cell[] {
  const { status } = exchange.response;
  const sent = operationInputs(operation).flatMap(({ name: aspect, cells, valueIn }) => {
    const value = valueIn(exchange, match);
    if (value === UNREADABLE) return [];
    return cells.filter(({ matches }) => matches(value)).map(({ name, valid }) => ({ aspect, name, valid }));
  });
  const invalid = sent.filter(({ valid }) => !valid);
  const filled = sent.filter(({ aspect, valid }) => {
    if (!valid) return invalid.length === 1 && [400, 404, 422].includes(status);
    return invalid.length === 0 && (isAccepting(status) || (status === 404 && aspect.startsWith('path ')));
  });
  return filled.map(({ aspect, name, valid }) => ({ subject: subjectOf(operation), aspect, name, rejected: !valid }));
}

/** Redirections, and what handlers say of a precondition (RFC 6585, section 3): the input has passed its checks. */
function isAccepting(status: number): boolean {
  return status < 400 || status === 412 || status === 428;
}

function statusCells(subject: string, responses: object): Cell[] {
  return Object.keys(responses).map((name) => ({ subject, aspect: 'status', name }));
}

function subjectOf({ name, method, path }: Operation): string {
  return `${name} ${method} ${path}`;
}
