import { isAnnotation } from '../annotations.js';
import type { Facts } from './facts.js';
import type { Schema } from '../open-api.js';

/** Keywords that have facts of their own. */
const STRUCTURE = new Set([
  'properties',
  'required',
  'items',
  'enum',
  'oneOf',
  'anyOf',
  'discriminator',
  'additionalProperties',
]);

/** The bounds that the format int64 implies; @nestjs/swagger cannot hold the higher one. */
const IMPLIED = new Set(['minimum -9223372036854775808', 'maximum 9223372036854775807']);

/** The decorators of a class cannot describe them. The start enforces what openapi.yaml declares. */
const OF_A_CLASS = new Set(['minProperties', 'maxProperties']);

/** The keywords of a schema that affect validation, including those of its properties and items. */
export function schemaFacts(schema: Schema): Facts {
  const isImplied = (keyword: string) => IMPLIED.has(`${keyword} ${String(schema[keyword])}`);
  const isIndescribable = (keyword: string) => schema.properties !== undefined && OF_A_CLASS.has(keyword);
  const keywords = Object.keys(schema).filter(
    (keyword) => !STRUCTURE.has(keyword) && !isAnnotation(keyword) && !isImplied(keyword) && !isIndescribable(keyword),
  );
  return {
    // A missing keyword `nullable` means `nullable: false`.
    ...Object.fromEntries(keywords.filter((keyword) => schema[keyword] !== false).map((k) => [k, textOf(schema[k])])),
    ...Object.fromEntries((schema.enum ?? []).map((value) => [`enum value ${String(value)}`, {}])),
    ...Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, property]) => [
        `property ${name}`,
        { required: schema.required?.includes(name) ? 'true' : 'false', ...schemaFacts(property) },
      ]),
    ),
    ...(schema.items && { items: schemaFacts(schema.items) }),
    ...alternativeFacts(schema),
  };
}

/** The schemas inside of a schema that are neither properties nor items. */
function alternativeFacts(schema: Schema): Facts {
  const { discriminator, additionalProperties: others } = schema as Record<string, Schema | undefined>;
  const alternatives = ['oneOf', 'anyOf'].flatMap((keyword) =>
    ((schema[keyword] ?? []) as Schema[]).map((one, index) => [`${keyword} ${index + 1}`, schemaFacts(one)] as const),
  );
  return {
    ...Object.fromEntries(alternatives),
    // True is the same as a schema without keywords.
    ...(others && { 'other properties': typeof others === 'object' ? schemaFacts(others) : {} }),
    // The alternatives have the schemas. Their names may differ.
    ...(discriminator && { discriminator: textOf(discriminator.propertyName) }),
  };
}

function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'bigint') return String(value);
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
}
