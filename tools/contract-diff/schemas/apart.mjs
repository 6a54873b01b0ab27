import { membersOf } from './members.mjs';
import { NEVER, normalise } from './normalise.mjs';

/** Far beyond a real alternative; a schema can contain itself. */
const DEEPEST = 16;

/**
 * Whether no request that clients send for `known` can match `added`. Clients send members that a schema does not declare only
 * where it declares `additionalProperties`. What is not proved is false.
 */
export function areApart(known, added, document, depth = 0) {
  const [one, other] = [known, added].map((schema) => normalise(schema, document));
  if (one === NEVER || other === NEVER) return true;
  if (depth > DEEPEST) return false;
  const inner = (left, right) => areApart(left, right, document, depth + 1);
  if (one.enum && other.enum) return one.enum.every((value) => other.enum.every((another) => !isEqual(value, another)));
  const shared = typesOf(one).filter((type) => typesOf(other).includes(type));
  return (
    shared.every((type) => PROOFS[type]?.(one, other, document, inner) ?? false) || unionsAreApart(one, other, inner)
  );
}

/** Whether each value has a type that one of the schemas accepts at most. */
export function haveDifferentTypes(schemas, document) {
  const types = schemas.flatMap((schema) => typesOf(normalise(schema, document)));
  return new Set(types).size === types.length;
}

const isEqual = (one, other) => textOf(one) === textOf(other);
const textOf = (value) =>
  JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) + 'n' : inner));

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

const typesOf = ({ type, enum: values }) => (type ?? TYPES).filter((one) => values?.some(isOf(one)) ?? true);

const isOf = (type) => (value) => {
  if (value === null) return type === 'null';
  if (Array.isArray(value)) return type === 'array';
  if (typeof value === 'bigint' || typeof value === 'number') return type === 'number' || type === 'integer';
  return typeof value === type;
};

const PROOFS = { integer: rangesAreApart, number: rangesAreApart, object: membersAreApart };

const isBelow = (upper, lower) =>
  upper !== undefined &&
  lower !== undefined &&
  (upper.value < lower.value || (!(upper.value > lower.value) && (upper.isOpen || lower.isOpen)));

function rangesAreApart(one, other) {
  return isBelow(one.upper, other.lower) || isBelow(other.upper, one.lower);
}

const isDeclared = (name, { schemas, required }) => schemas.has(name) || required.has(name);

function membersAreApart(known, added, document, inner) {
  const [one, other] = [known, added].map((schema) => membersOf(schema, { direction: 'request' }, document));
  const required = [...new Set([...one.required, ...other.required])];
  return (
    required.some(
      (name) =>
        one.schemas.has(name) && other.schemas.has(name) && inner(one.schemas.get(name), other.schemas.get(name)),
    ) ||
    [...other.required].some((name) => !isDeclared(name, one) && sendsOnlyDeclared(known)) ||
    [...one.required].some((name) => !isDeclared(name, other) && added.additionalProperties === false)
  );
}

/** Other parts may declare more members. */
const sendsOnlyDeclared = ({ additionalProperties, allOf, oneOf, anyOf }) =>
  !additionalProperties && !allOf && !oneOf && !anyOf;

/** Members beside alternatives belong to each of them, so these are not compared without. */
const branchesOf = ({ properties, oneOf, anyOf }) => (properties ? undefined : (oneOf ?? anyOf));

function unionsAreApart(one, other, inner) {
  return (
    (branchesOf(one)?.every((branch) => inner(branch, other)) ?? false) ||
    (branchesOf(other)?.every((branch) => inner(one, branch)) ?? false)
  );
}
