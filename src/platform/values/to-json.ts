import { InexactNumber } from './json-reader.js';

/** Of Node: a Date is written as text in any case, and bytes are no JSON. */
const OF_NODE: ReadonlySet<unknown> = new Set([Date, Buffer].map(({ prototype }) => Reflect.get(prototype, 'toJSON')));

/**
 * What JSON has in place of a value: what its `toJSON` returns, if it has one, as for JSON.stringify. It may hide what the
 * value itself has. Never that of a bigint, which programs add because JSON.stringify refuses bigints.
 */
export function toJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON !== 'function' || OF_NODE.has(toJSON) || value instanceof InexactNumber) return value;
  try {
    return toJSON.call(value) as unknown;
  } catch (error) {
    throw new Error(`toJSON of ${value.constructor.name} failed: ${(error as Error).message}`, { cause: error });
  }
}
