import { isObject, targetOf } from '../contract/document.mjs';
import { isLeftOut, isVersion30 } from './schema.mjs';

/**
 * What the parts of a schema say about each other's members, which an intersection of their types does not express:
 * the names that one part requires and another declares or none does, and those that one part declares for the other
 * direction only and another for both.
 */
export function sharedMembers(schema, direction, document) {
  const whole = partsOf(schema, direction, document, []);
  if (isPlain(whole) || isWrapper(whole)) return { required: [], leftOut: [] };
  const { parts, unions, ...own } = whole;
  const direct = [{ ...own, parts: [], unions: [] }, ...parts.map(unwrapped)];
  const alternatives = unions.map((union) => union.map(unwrapped));
  const hidden = new Set(namesIn(whole, ({ leftOut }) => leftOut));
  const isRequired = (name) =>
    direct.some((part) => requires(part, name)) ||
    alternatives.some((union) => union.length > 0 && union.every((one) => requires(one, name)));
  return {
    required: [...new Set(requiredIn(whole))].filter((name) => !hidden.has(name) && !isRequired(name)),
    leftOut: [...hidden].filter((name) => [...direct, ...alternatives.flat()].some((part) => has(part, name))),
  };
}

/** The members that a schema requires, declares and leaves out by itself, with its parts and alternatives. */
function partsOf(schema, direction, document, above) {
  // A schema that is a part of itself says nothing new.
  if (!isObject(schema) || above.includes(schema))
    return { required: [], declared: [], leftOut: [], parts: [], unions: [] };
  const { $ref } = schema;
  const target = $ref === undefined ? [] : [targetOf($ref, document)];
  const {
    required = [],
    properties = {},
    allOf = [],
    ...own
  } = target.length > 0 && isVersion30(document) ? {} : schema;
  const read = (part) => partsOf(part, direction, document, [...above, schema]);
  const names = Object.keys(properties);
  return {
    required,
    declared: names.filter((name) => !isLeftOut(properties[name], direction, document)),
    leftOut: names.filter((name) => isLeftOut(properties[name], direction, document)),
    parts: [...target, ...allOf].map(read),
    // Null has no members.
    unions: [own.oneOf, own.anyOf].filter(Array.isArray).map((union) => union.filter((one) => !isNull(one)).map(read)),
  };
}

const isNull = (schema) =>
  isObject(schema) &&
  (String(schema.type) === 'null' || schema.const === null || schema.enum?.every((one) => one === null) === true);

const isPlain = ({ parts, unions }) => parts.length + unions.length === 0;

/** Whether the schema has the type of its only part. */
const isWrapper = ({ required, declared, leftOut, parts, unions }) =>
  parts.length === 1 && required.length + declared.length + leftOut.length + unions.length === 0;

const unwrapped = (schema) => (isWrapper(schema) ? unwrapped(schema.parts[0]) : schema);

/** The names that a schema, one of its parts or each of its alternatives has. */
function namesIn(schema, ownOf) {
  const ofUnions = schema.unions.flatMap((union) => {
    const [first = [], ...others] = union.map((one) => namesIn(one, ownOf));
    return first.filter((name) => others.every((other) => other.includes(name)));
  });
  return [...ownOf(schema), ...schema.parts.flatMap((part) => namesIn(part, ownOf)), ...ofUnions];
}

const requiredIn = (schema) => namesIn(schema, ({ required }) => required);

const declares = (schema, name) =>
  schema.declared.includes(name) || [...schema.parts, ...schema.unions.flat()].some((part) => declares(part, name));

/** Whether the type of a schema by itself requires the member, with the type that the schema declares. */
const requires = (schema, name) => declares(schema, name) && requiredIn(schema).includes(name);

/** Whether the type of a schema by itself has the member. */
function has(schema, name) {
  if (isPlain(schema)) return schema.declared.includes(name);
  if (namesIn(schema, ({ leftOut }) => leftOut).includes(name)) return false;
  return declares(schema, name) || requiredIn(schema).includes(name);
}
