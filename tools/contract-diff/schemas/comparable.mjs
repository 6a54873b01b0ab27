import { namesOf } from '../../contract/document.mjs';
import { tightest } from './normalise.mjs';

/** The types whose values a keyword restricts. */
const TYPES = new Map(
  Object.entries({
    minLength: ['string'],
    maxLength: ['string'],
    pattern: ['string'],
    minItems: ['array'],
    maxItems: ['array'],
    uniqueItems: ['array'],
    minProperties: ['object'],
    maxProperties: ['object'],
    lower: ['integer', 'number'],
    upper: ['integer', 'number'],
    multipleOf: ['integer', 'number'],
  }),
);

/**
 * The keywords of two flat schemas, with the same value where they mean the same. Those that restrict no type of both schemas are
 * left out: the types tell that one of them does not have such values.
 */
export function comparable(left, right) {
  const sides = [left, right];
  const isShared = (type) => sides.every(({ type: types }) => types?.includes(type) ?? true);
  const names = namesOf(left, right).filter((name) => TYPES.get(name)?.some(isShared) ?? true);
  return sides.map((schema) => Object.fromEntries(names.map((name) => [name, valueOf(name, schema)])));
}

function valueOf(name, schema) {
  if (name === 'lower' || name === 'upper') return boundOf(name, schema);
  return name === 'multipleOf' ? stepOf(schema) : schema[name];
}

const isWhole = ({ type }) => (type?.includes('integer') && !type.includes('number')) ?? false;

/** The bounds that a format implies. */
const IMPLIED = new Map([
  ['int32', { lower: -(2n ** 31n), upper: 2n ** 31n - 1n }],
  ['int64', { lower: -(2n ** 63n), upper: 2n ** 63n - 1n }],
]);

function boundOf(name, schema) {
  const sign = name === 'lower' ? 1 : -1;
  const own = schema[name];
  const implied = { value: IMPLIED.get(schema.format)?.[name], isOpen: false };
  return tightest([own && isWhole(schema) ? wholeBound(own, sign) : (own ?? {}), implied], sign);
}

/** The first integer that the bound includes. */
function wholeBound({ value, isOpen }, sign) {
  const isInteger = typeof value === 'bigint' || Number.isInteger(value);
  if (!isInteger) return { value: sign > 0 ? Math.ceil(value) : Math.floor(value), isOpen: false };
  return { value: isOpen ? BigInt(value) + BigInt(sign) : value, isOpen: false };
}

/** Every integer is a multiple of 1, and of a half. */
function stepOf({ multipleOf: step, ...schema }) {
  return isWhole(schema) && Number.isInteger(1 / Number(step ?? 1)) ? 1n : step;
}
