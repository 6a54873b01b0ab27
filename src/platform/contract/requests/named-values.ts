import { alternativesOf, isFlagged, withAlternatives, withSureParts } from '../schemas/schema-type.js';
import type { ContractNode } from '../source/contract-node.js';

/** The values of these keywords besides null. */
export function valuesOf(schemas: readonly ContractNode[], keywords: readonly string[]): unknown[] {
  return schemas
    .flatMap((schema) => keywords.flatMap((keyword) => schema.get(keyword)?.value ?? []))
    .filter((value) => value !== null);
}

/** The examples that these schemas give besides null. */
export function examplesOf(schemas: readonly ContractNode[]): unknown[] {
  return schemas
    .flatMap(withAlternatives)
    .flatMap((schema) => [schema.get('example')?.value].concat(schema.get('examples')?.value ?? []))
    .filter((value) => value !== undefined && value !== null);
}

/** The least and the greatest value, or one near it where the schema excludes the bound. */
export function boundsOf(schemas: readonly ContractNode[], isInteger: boolean): unknown[] {
  return schemas.flatMap((schema) => [
    ...boundOf(schema, 'minimum', 'exclusiveMinimum', 1, isInteger),
    ...boundOf(schema, 'maximum', 'exclusiveMaximum', -1, isInteger),
  ]);
}

/** `inwards`: the direction from the bound to the values. */
function boundOf(
  schema: ContractNode,
  keyword: string,
  exclusive: string,
  inwards: -1 | 1,
  isInteger: boolean,
): unknown[] {
  const bound = schema.get(keyword)?.value;
  // True with OpenAPI 3.0, the bound itself with 3.1.
  const mark = schema.get(exclusive)?.value;
  const excluded = mark === true ? bound : mark;
  const included = mark === true ? undefined : bound;
  return [included, isInteger ? nextTo(excluded, inwards) : near(excluded, inwards)].filter(
    (value) => value !== undefined,
  );
}

/** The next integer. */
function nextTo(bound: unknown, inwards: -1 | 1): unknown {
  if (typeof bound === 'bigint') return bound + BigInt(inwards);
  if (typeof bound !== 'number') return undefined;
  return inwards > 0 ? Math.floor(bound) + 1 : Math.ceil(bound) - 1;
}

/** A millionth of the bound beside it, which has few digits; a millionth beside bounds up to 1. */
function near(bound: unknown, inwards: -1 | 1): number | undefined {
  if (typeof bound !== 'bigint' && typeof bound !== 'number') return undefined;
  const value = Number(bound);
  return value + (inwards * Math.max(Math.abs(value), 1)) / 1_000_000;
}

/** The format of each text that these schemas accept, unless they have several. */
export function formatOf(schemas: readonly ContractNode[]): unknown {
  const formats = new Set(valuesOf(schemas.flatMap(withSureParts), ['format']));
  return formats.size === 1 ? [...formats][0] : undefined;
}

export interface Limits {
  readonly least?: number;
  readonly greatest?: number;
}

/** The lengths that all of these schemas accept; nothing where alternatives may narrow them. */
export function limitsOf(schemas: readonly ContractNode[], lower: string, upper: string): Limits {
  const parts = schemas.flatMap(withSureParts);
  if (parts.some((part) => alternativesOf(part).length > 1)) return {};
  const numbersOf = (keyword: string) =>
    parts.flatMap((part) => (part.get(keyword)?.value as number | undefined) ?? []);
  const least = numbersOf(lower);
  const greatest = numbersOf(upper);
  return {
    ...(least.length > 0 && { least: Math.max(...least) }),
    ...(greatest.length > 0 && { greatest: Math.min(...greatest) }),
  };
}

/** The same in items; nothing for unique items, because there may not be that many different ones. */
export function sizesOf(schemas: readonly ContractNode[]): Limits {
  const mustDiffer = schemas.flatMap(withSureParts).some((part) => isFlagged(part, 'uniqueItems'));
  return mustDiffer ? {} : limitsOf(schemas, 'minItems', 'maxItems');
}
