import type { Contract, Operation } from '../../contract/contract.js';
import type { Exchange } from '../http/exchange.js';
import type { Match } from './match-target.js';
import { UNREADABLE, operationInputs } from './operation-inputs.js';

/** One thing that a whole test run must have seen. The reporter, which is no TypeScript, reads these as JSON. */
export interface Cell {
  /** `listPets GET /pets`, or `any request` for an answer that belongs to no operation. */
  readonly subject: string;
  /** `status`, or the input that is varied: `query limit`. */
  readonly aspect: string;
  readonly name: string;
  /** Whether the answer must be a refusal. */
  readonly refused?: boolean;
}

const ANY_REQUEST = 'any request';

export function contractCells(contract: Contract): Cell[] {
  return [
    ...contract.operations.flatMap((operation) => [
      ...statusCells(subjectOf(operation), operation.responses),
      ...operationInputs(operation).flatMap(({ name: aspect, cells }) =>
        cells.map(({ name, valid }) => ({ subject: subjectOf(operation), aspect, name, refused: !valid })),
      ),
    ]),
    ...statusCells(ANY_REQUEST, contract.protocolResponses),
  ];
}

/** The cells that an answer fills. A refusal fills the cell of a bad input only if nothing else was bad. */
export function filledCells(exchange: Exchange, match: Match, by: 'operation' | 'protocol'): Cell[] {
  const { status } = exchange.answer;
  const { operation } = match;
  if (by === 'protocol' || !operation) return [{ subject: ANY_REQUEST, aspect: 'status', name: String(status) }];
  return [
    { subject: subjectOf(operation), aspect: 'status', name: String(status) },
    ...inputCellsFilled(exchange, match, operation),
  ];
}

function inputCellsFilled(exchange: Exchange, match: Match, operation: Operation): Cell[] {
  const { status } = exchange.answer;
  const sent = operationInputs(operation).flatMap(({ name: aspect, cells, valueIn }) => {
    const value = valueIn(exchange, match);
    if (value === UNREADABLE) return [];
    return cells.filter(({ matches }) => matches(value)).map(({ name, valid }) => ({ aspect, name, valid }));
  });
  const invalid = sent.filter(({ valid }) => !valid);
  const filled = sent.filter(({ aspect, valid }) => {
    if (!valid) return invalid.length === 1 && [400, 404, 422].includes(status);
    return invalid.length === 0 && (status < 300 || (status === 404 && aspect.startsWith('path ')));
  });
  return filled.map(({ aspect, name, valid }) => ({ subject: subjectOf(operation), aspect, name, refused: !valid }));
}

function statusCells(subject: string, responses: object): Cell[] {
  return Object.keys(responses).map((name) => ({ subject, aspect: 'status', name }));
}

function subjectOf({ name, method, path }: Operation): string {
  return `${name} ${method} ${path}`;
}
