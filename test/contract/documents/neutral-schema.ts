import type { Schema } from '../open-api.js';

/**
 * A schema in one form, whichever of its forms OpenAPI 3.0, 3.1 or @nestjs/swagger writes: `nullable` for null, `enum` for
 * `const`, and a number for an exclusive bound. Any other object of a document stays as it is.
 */
export function neutralSchema(schema: Schema): Schema {
  return withoutNull(withExclusiveBounds(withEnum(schema)));
}

/** A member may be named "const": then it is a schema, not a value. */
function withEnum(schema: Schema): Schema {
  const { const: value, ...rest } = schema;
  return value === undefined || typeof value === 'object' ? schema : { ...rest, enum: [value] };
}

/** OpenAPI 3.0 marks a bound as exclusive; 3.1 has a keyword for an exclusive bound. */
function withExclusiveBounds(schema: Schema): Schema {
  const neutral = { ...schema };
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (neutral[flag] !== true) continue;
    neutral[flag] = neutral[bound];
    delete neutral[bound];
  }
  return neutral;
}

/** Null as a type, as a value of an enumeration, or as an alternative. */
function withoutNull(given: Schema): Schema {
  const { isNullable: isTyped, ...schema } = withOneType(given);
  const keywords = ['oneOf', 'anyOf'].filter((keyword) => alternativesOf(schema, keyword).some(isNull));
  // Null is no value of an enumeration without it, except as OpenAPI 3.0 and @nestjs/swagger write that.
  const isNullable =
    (isTyped && schema.enum?.includes(null) !== false) || keywords.length > 0 || schema.nullable === true;
  if (!isNullable) return schema;
  const neutral: Schema = { ...schema };
  if (schema.enum) neutral.enum = schema.enum.filter((value) => value !== null);
  for (const keyword of keywords) {
    const others = alternativesOf(schema, keyword).filter((one) => !isNull(one));
    if (others.length === 1) {
      delete neutral[keyword];
      Object.assign(neutral, others[0]);
    } else neutral[keyword] = others;
  }
  return { ...neutral, nullable: true };
}

/** OpenAPI 3.1 may write a type as a list, with or without null. */
function withOneType(schema: Schema): Schema & { isNullable?: boolean } {
  const types: unknown = schema.type;
  if (!Array.isArray(types)) return schema;
  const others = types.filter((type) => type !== 'null');
  return { ...schema, type: others.join(' or '), isNullable: others.length < types.length };
}

function alternativesOf(schema: Schema, keyword: string): Schema[] {
  const alternatives = schema[keyword];
  return Array.isArray(alternatives) ? (alternatives as Schema[]) : [];
}

function isNull(schema: Schema): boolean {
  const { type } = schema;
  return type === 'null';
}
