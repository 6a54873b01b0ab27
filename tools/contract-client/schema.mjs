import { isObject, resolve } from '../contract/document.mjs';
import { refuse } from './refusal.mjs';

/** Keywords that the types express. */
const EXPRESSED = new Set(
  '$ref type nullable enum const properties required additionalProperties items allOf oneOf anyOf readOnly writeOnly'.split(
    ' ',
  ),
);

/** Keywords that only narrow or describe values: a type without them is wider, and never wrong. */
const SILENT = new Set(
  (
    'title description default example examples deprecated externalDocs xml discriminator format not pattern ' +
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems ' +
    'minProperties maxProperties contentEncoding contentMediaType $comment'
  ).split(' '),
);

const INTEGER_FORMATS = new Set([undefined, 'int32', 'int64']);

/** The keywords of a schema, without those that its version of OpenAPI ignores; refuses what no type can express. */
export function readSchema(schema, document, place) {
  if (schema === true || schema === undefined) return {};
  if (!isObject(schema)) refuse(place, 'this schema is neither an object nor true');
  if (schema.$ref !== undefined && isVersion30(document)) return { $ref: schema.$ref };
  for (const keyword of Object.keys(schema)) {
    if (!EXPRESSED.has(keyword) && !SILENT.has(keyword) && !keyword.startsWith('x-'))
      refuse(place, `the client cannot express "${keyword}"`);
  }
  const types = typesOf(schema);
  if (schema.nullable === true && schema.type === undefined) refuse(place, '"nullable" requires a "type" beside it');
  if (types.includes('integer') && !INTEGER_FORMATS.has(schema.format))
    refuse(place, `an integer cannot have the format "${schema.format}"; use int32, int64 or none`);
  if (types.includes('number') && schema.format === 'int64')
    refuse(place, 'only an integer can have the format "int64"; use "type: integer"');
  return schema;
}

/** The types of a schema; an object without `type` is one by its keywords. */
export function typesOf({ type, nullable, properties, additionalProperties, items }) {
  const declared = type === undefined ? [] : [type].flat();
  if (declared.length === 0 && (properties !== undefined || additionalProperties !== undefined)) return ['object'];
  if (declared.length === 0 && items !== undefined) return ['array'];
  return nullable === true ? [...declared, 'null'] : declared;
}

export const isInt64 = (schema) => schema.format === 'int64' && typesOf(schema).includes('integer');

const LARGEST = 2n ** 53n - 1n;

/** Whether every integer of the schema is exact as a number. */
export function isSafeInteger({ format, minimum, maximum, exclusiveMinimum, exclusiveMaximum }) {
  // OpenAPI 3.0 has a flag instead of an exclusive bound.
  const isAbove = [minimum, exclusiveMinimum].some((bound) => typeof bound !== 'boolean' && bound >= -LARGEST);
  const isBelow = [maximum, exclusiveMaximum].some((bound) => typeof bound !== 'boolean' && bound <= LARGEST);
  return format === 'int32' || (isAbove && isBelow);
}

/** The name of the component that a reference leads to. */
export function componentOf($ref, document, place) {
  const [, pointer] = /^#\/components\/schemas\/([^/]+)$/.exec($ref) ?? [];
  if (pointer === undefined) refuse(place, `"$ref" must lead to components.schemas, not to ${$ref}`);
  resolve({ $ref }, document);
  return decodeURIComponent(pointer).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Whether a member is absent from requests or from responses, by itself or by the component that it refers to. */
export function isLeftOut(schema, direction, document) {
  const flag = direction === 'request' ? 'readOnly' : 'writeOnly';
  if (schema?.$ref === undefined) return schema?.[flag] === true;
  return (!isVersion30(document) && schema[flag] === true) || resolve(schema, document)[flag] === true;
}

/** In OpenAPI 3.0, a reference has no keywords beside it. */
export const isVersion30 = (document) => String(document.openapi).startsWith('3.0');

/** The schemas directly below a schema, without references. */
export function partsOf({ properties = {}, additionalProperties, items, allOf = [], oneOf = [], anyOf = [] }) {
  return [...Object.values(properties), additionalProperties, items, ...allOf, ...oneOf, ...anyOf].filter(isObject);
}
