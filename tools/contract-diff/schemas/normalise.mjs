import { isObject, namesOf, targetOf } from '../../contract/document.mjs';
import { enforcedIn } from './enforced.mjs';
import { byText, withNullAsType } from './null-type.mjs';

/** The schema that accepts everything, and the one that accepts nothing. */
export const ANY = Object.freeze({});
export const NEVER = Object.freeze({ never: true });

const known = new WeakMap();

/** Keywords with the value that means the same as their absence. */
const IDLE = new Map([
  ['minLength', 0n],
  ['minItems', 0n],
  ['minProperties', 0n],
  ['uniqueItems', false],
  ['deprecated', false],
]);

/**
 * One flat schema with the same meaning: `allOf` merged, null as a type, `const` as an `enum`, and the four bounds
 * as `lower` and `upper`. What cannot be merged stays in `allOf`.
 */
export function normalise(schema, document) {
  if (schema === undefined || schema === true) return ANY;
  if (schema === false) return NEVER;
  if (known.has(schema)) return known.get(schema);
  // A schema that is a part of itself adds nothing to itself.
  known.set(schema, ANY);
  const { $ref, allOf = [], ...own } = schema;
  const target = $ref === undefined ? [] : [targetOf($ref, document)];
  // OpenAPI 3.0 ignores what stands beside a reference.
  const isAlone = $ref !== undefined && String(document.openapi).startsWith('3.0');
  const parts = [...target, ...(isAlone ? [] : allOf)].map((part) => normalise(part, document));
  if (!isAlone) parts.push(flat(own));
  const merged = parts.includes(NEVER) ? NEVER : withNullAsType(mergeAll(parts), (part) => normalise(part, document));
  // Parts are compared by themselves.
  for (const result of [merged, ...(merged.allOf ?? [])]) known.set(result, result);
  known.set(schema, merged);
  return merged;
}

function flat({ type, nullable, const: only, minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest }) {
  const types = type === undefined ? undefined : [type, nullable === true ? 'null' : []].flat();
  const schema = {
    ...rest,
    // Without a type, validators disagree on its meaning.
    nullable: types === undefined && nullable === true ? true : undefined,
    type: types && [...new Set(types.includes('number') ? [...types, 'integer'] : types)].toSorted(byText),
    enum: (only === undefined ? (isWhole(types, rest.enum) ? undefined : rest.enum) : [only])?.map(asInteger),
    lower: tightest(boundsOf(minimum, exclusiveMinimum), 1),
    upper: tightest(boundsOf(maximum, exclusiveMaximum), -1),
  };
  const found = withoutIdle(schema);
  return withoutIdle({ ...found, 'x-always-enforced': enforcedIn(found['x-always-enforced'], found) });
}

const withoutIdle = (schema) =>
  Object.fromEntries(
    Object.entries(schema)
      .map(([name, value]) => [name, asInteger(value)])
      .filter(([name, value]) => value !== undefined && IDLE.get(name) !== value),
  );

/** `5.0` and `5e0` are the integer 5. */
function asInteger(value) {
  if (Number.isInteger(value)) return BigInt(value);
  return Array.isArray(value) ? value.map(asInteger) : value;
}

/** Whether an enumeration lists all values of its type. */
const isWhole = (types, values) =>
  (types?.join() === 'boolean' && [true, false].every((one) => values?.includes(one))) ||
  (types?.toSorted().join() === 'boolean,null' && [true, false, null].every((one) => values?.includes(one)));

/** OpenAPI 3.0 has a flag beside the bound, 3.1 a bound of its own. */
function boundsOf(inclusive, exclusive) {
  if (typeof exclusive === 'boolean') return [{ value: inclusive, isOpen: exclusive }];
  return [
    { value: inclusive, isOpen: false },
    { value: exclusive, isOpen: true },
  ];
}

export const tightest = (bounds, sign) =>
  bounds.filter(({ value }) => value !== undefined).toSorted((a, b) => sign * orderOf(b, a, sign))[0];

/** Above 0 if `a` is the higher one. `sign` is 1 for lower bounds, -1 for upper ones. */
export const orderOf = (a, b, sign) =>
  a.value > b.value ? 1 : a.value < b.value ? -1 : sign * (Number(a.isOpen) - Number(b.isOpen));

const higher = (a, b) => (a > b ? a : b);
const lower = (a, b) => (a < b ? a : b);
const last = (_, b) => b;
const either = (a, b) => a || b;

/** How `allOf` combines two values of a keyword. */
const MERGES = {
  title: last,
  description: last,
  example: last,
  examples: last,
  externalDocs: last,
  deprecated: last,
  $comment: last,
  'x-demand': last,
  'x-always-enforced': (a, b) => [...a, ...b],
  readOnly: either,
  writeOnly: either,
  required: (a, b) => [...new Set([...a, ...b])],
  properties: (a, b) =>
    Object.fromEntries(
      namesOf(a, b).map((name) => [name, a[name] && b[name] ? { allOf: [a[name], b[name]] } : (a[name] ?? b[name])]),
    ),
  type: (a, b) => a.filter((type) => b.includes(type)),
  lower: (a, b) => tightest([a, b], 1),
  upper: (a, b) => tightest([a, b], -1),
  minLength: higher,
  minItems: higher,
  minProperties: higher,
  maxLength: lower,
  maxItems: lower,
  maxProperties: lower,
};

const restrictsOthers = ({ additionalProperties }) => ![undefined, true].includes(additionalProperties);
const isUnion = (part) => 'oneOf' in part || 'anyOf' in part;

function mergeAll(parts) {
  const filled = parts.filter((part) => Object.keys(part).length > 0);
  if (filled.length === 1) return filled[0];
  // `additionalProperties` counts the properties of its own part only, and a discriminator the alternatives beside it.
  const hasUnions = filled.filter(isUnion).length > 1;
  const isSeparate = (part) => restrictsOthers(part) || (hasUnions && isUnion(part));
  const [separate, joined] = [true, false].map((side) => filled.filter((part) => isSeparate(part) === side));
  const merged = { ...joined.reduce(merge, {}), ...flagsOf(separate) };
  const rest = [...(merged.allOf ?? []), ...separate];
  return rest.length > 0 ? { ...merged, allOf: rest } : merged;
}

/** What a part says of the whole member. */
const flagsOf = (parts) =>
  Object.fromEntries(
    ['readOnly', 'writeOnly'].filter((flag) => parts.some((part) => part[flag])).map((flag) => [flag, true]),
  );

function merge(left, right) {
  const merged = { ...left };
  const conflicts = {};
  for (const [name, value] of Object.entries(right)) {
    if (!(name in left)) merged[name] = value;
    else if (Object.hasOwn(MERGES, name)) merged[name] = MERGES[name](left[name], value);
    else if (isObject(value) || value !== left[name]) conflicts[name] = value;
  }
  return Object.keys(conflicts).length > 0 ? { ...merged, allOf: [...(merged.allOf ?? []), conflicts] } : merged;
}
