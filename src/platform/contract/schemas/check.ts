import type { ContractNode } from '../source/contract-node.js';

/**
 * Which members a schema has: `readOnly` ones only in responses, `writeOnly` ones only in requests. A response leaves
 * out undeclared members; a closed one must not have any, which tells alternatives apart.
 */
export type Direction = 'request' | 'response' | 'closed response';

/** Whether values match a schema of the contract, compiled once, at start. */
export interface Check {
  readonly isValid: (value: unknown) => boolean;
  /** Adds a sentence for each violation. States only the demand, never the value, which may be a secret. */
  readonly explain: (value: unknown, place: string, sentences: string[]) => void;
  /** A valid value with its defaults, and with each `number` as a JavaScript number. Absent where it would change nothing. */
  readonly complete?: (value: unknown) => unknown;
}

/** Compiles a schema inside another one, by default in the same direction. */
export type Compile = (schema: ContractNode, direction?: Direction) => Check;

/** `address` and `city` are `address.city`. */
export function inside(place: string, member: string | number): string {
  return place === '' ? String(member) : `${place}.${member}`;
}

/** A sentence about the value at a place; without a place it is the body. */
export function sentence(place: string, demand: string): string {
  return `${place === '' ? 'The body' : place} ${demand}`;
}

/** The end of a demand for a size, such as ` of 1 to 5 items`; empty without limits. */
export function sizeText(least: number, most: number, noun: string, preposition = 'of'): string {
  if (least === 0 && most === Infinity) return '';
  const unit = (most === Infinity ? least : most) === 1 ? noun : `${noun}s`;
  if (most === Infinity) return ` ${preposition} at least ${least} ${unit}`;
  if (least === most) return ` ${preposition} exactly ${most} ${unit}`;
  const range = least === 0 ? `at most ${most}` : `${least} to ${most}`;
  return ` ${preposition} ${range} ${unit}`;
}

/** A sentence about a value that breaks the contract only once its defaults are filled in. */
export function withDefaults(violation: string): string {
  return `${violation}, with the defaults filled in`;
}
