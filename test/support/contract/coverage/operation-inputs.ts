import type { Operation } from '../../../contract/contract.js';
import type { Schema } from '../../../contract/open-api.js';
import { readJson } from '../exact-json.js';
import { targetQuery } from '../../http/exchange.js';
import type { Exchange } from '../../http/exchange.js';
import { inputCells } from './input-cells.js';
import type { InputCell, InputValue } from './input-cells.js';
import type { Match } from '../match-target.js';

/** One input of an operation. */
export interface OperationInput {
  /** `query limit`, `path petId`, `header Idempotency-Key`, `body name`, `body`. */
  readonly name: string;
  readonly cells: readonly InputCell[];
  readonly valueIn: (exchange: Exchange, match: Match) => InputValue;
}

/** The parameters, the whole body, and its members. */
export function operationInputs(operation: Operation): OperationInput[] {
  const parameters = (operation.parameters ?? []).map(({ name, in: place, required = false, style, schema = {} }) => ({
    name: `${place} ${name}`,
    cells: inputCells(schema, { required, inBody: false }).filter(
      ({ name: cell }) => place !== 'path' || cell !== 'omitted',
    ),
    valueIn: (exchange: Exchange, match: Match) =>
      parameterValue(
        style === 'deepObject' ? membersOf(name, exchange) : valuesOf(place, name, exchange, match),
        schema,
      ),
  }));
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  return schema ? [...parameters, wholeBody(operation), ...bodyMembers(schema)] : parameters;
}

function valuesOf(place: string, name: string, { target, headers }: Exchange, match: Match): readonly string[] {
  if (place === 'path') return [match.pathParameters[name]!];
  if (place === 'query') return targetQuery(target!).getAll(name);
  if (place === 'cookie') return cookiesOf(name, String(headers?.cookie ?? ''));
  return [headers?.[name.toLowerCase()] ?? []].flat().map(String);
}

/** `filter[status]=sold&filter[name]=Rex` */
function membersOf(name: string, { target }: Exchange): readonly string[] {
  return [...targetQuery(target!)].flatMap(([member, value]) => (member.startsWith(`${name}[`) ? [value] : []));
}

function cookiesOf(name: string, header: string): readonly string[] {
  const pairs = header.split(/; */);
  return pairs.flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []));
}

function wholeBody(operation: Operation): OperationInput {
  const valid = operation.requestBody?.required !== true;
  return {
    name: 'body',
    cells: [{ name: 'omitted', valid, matches: (value) => value === undefined }],
    valueIn: ({ body }) => (body.length === 0 ? undefined : body),
  };
}

function bodyMembers(schema: Schema): OperationInput[] {
  return Object.entries(schema.properties ?? {}).map(([name, member]) => ({
    name: `body ${name}`,
    cells: inputCells(member, { required: schema.required?.includes(name) ?? false, inBody: true }),
    valueIn: ({ body }) => memberValue(body, name),
  }));
}

function parameterValue(values: readonly string[], { type }: Schema): InputValue {
  if (values.length !== 1) return values.length === 0 ? undefined : values;
  const text = values[0]!;
  if (type === 'integer') return /^-?\d+$/.test(text) ? BigInt(text) : text;
  return type === 'number' || type === 'boolean' ? jsonValue(text) : text;
}

function jsonValue(text: string): InputValue {
  try {
    return integerAsBigInt(readJson(text));
  } catch {
    return text;
  }
}

function integerAsBigInt(value: unknown): InputValue {
  return Number.isInteger(value) ? BigInt(value as number) : value;
}

/** The body is not a JSON object, so its members are neither valid nor invalid. */
export const UNREADABLE = Symbol('unreadable');

function memberValue(body: Buffer, name: string): InputValue {
  try {
    const members = readJson(body.toString('utf8'));
    if (typeof members !== 'object' || members === null || Array.isArray(members)) return UNREADABLE;
    const value: unknown = Object.hasOwn(members, name) ? (members as Record<string, unknown>)[name] : undefined;
    return integerAsBigInt(value);
  } catch {
    return UNREADABLE;
  }
}
