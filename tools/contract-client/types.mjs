import { isObject, resolve } from '../contract/document.mjs';
import { comment } from './comment.mjs';
import { refuse } from './refusal.mjs';
import { componentOf, isInt64, isLeftOut, isSafeInteger, partsOf, readSchema, typesOf } from './schema.mjs';
import { sharedMembers } from './shared-members.mjs';

/** The TypeScript type of a schema, in requests or in responses. */
export function typeOf(schema, direction, document, place) {
  if (schema === false) return 'never';
  const read = readSchema(schema, document, place);
  const inner = (part, name) => typeOf(part, direction, document, `${place}.${name}`);
  const union = (keyword) =>
    read[keyword] && `(${read[keyword].map((part, at) => inner(part, `${keyword}.${at}`)).join(' | ')})`;

  const parts = [
    read.$ref && referenceTo(read.$ref, direction, document, place),
    ownType(read, direction, document, place),
    ...(read.allOf ?? []).map((part, at) => inner(part, `allOf.${at}`)),
    union('oneOf'),
    union('anyOf'),
  ].filter((part) => part !== undefined);
  const all = parts.length === 0 ? 'unknown' : parts.map((part) => (parts.length > 1 ? `(${part})` : part)).join(' & ');
  const { required, leftOut } = sharedMembers(schema, direction, document);
  return withNames('Requires', withNames('Without', all, leftOut), required);
}

const withNames = (helper, type, names) =>
  names.length === 0 ? type : `${helper}<${type}, ${names.map((name) => JSON.stringify(name)).join(' | ')}>`;

/** Whether a component has members that only requests or only responses carry. */
export function hasDirection(name, document, seen = new Set()) {
  const visit = (schema) => {
    if (schema.readOnly === true || schema.writeOnly === true) return true;
    return schema.$ref === undefined ? partsOf(schema).some(visit) : visitTarget(resolve(schema, document));
  };
  const visitTarget = (target) => {
    if (!isObject(target) || seen.has(target)) return false;
    seen.add(target);
    return visit(target);
  };
  return visitTarget(document.components.schemas[name]);
}

function referenceTo($ref, direction, document, place) {
  const name = componentOf($ref, document, place);
  const schemas = direction === 'request' && hasDirection(name, document) ? 'RequestSchemas' : 'Schemas';
  return `${schemas}[${JSON.stringify(name)}]`;
}

function ownType(schema, direction, document, place) {
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values !== undefined) return values.map((value) => literal(value, schema, place)).join(' | ');
  const types = typesOf(schema);
  if (types.length === 0) return undefined;
  return types.map((type) => plainType(type, schema, direction, document, place)).join(' | ');
}

function literal(value, schema, place) {
  if (value === null || ['string', 'boolean'].includes(typeof value)) return JSON.stringify(value);
  if (typeof value === 'bigint')
    return isInt64(schema) || !isSafeInteger({ minimum: value, maximum: value }) ? `${value}n` : String(value);
  if (typeof value === 'number') return String(value);
  return refuse(place, 'a value of "enum" or "const" must be text, a number, a boolean or null');
}

function plainType(type, schema, direction, document, place) {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'null':
      return type;
    case 'integer':
      if (isInt64(schema)) return 'bigint';
      return isSafeInteger(schema) ? 'number' : 'number | bigint';
    case 'array':
      return `Array<${typeOf(schema.items, direction, document, `${place}.items`)}>`;
    case 'object':
      return objectType(schema, direction, document, place);
    default:
      return refuse(place, `"${type}" is not a type`);
  }
}

function objectType({ properties = {}, required = [], additionalProperties }, direction, document, place) {
  const types = [];
  const members = Object.entries(properties)
    .filter(([, schema]) => !isLeftOut(schema, direction, document))
    .map(([name, schema]) => {
      const type = typeOf(schema, direction, document, `${place}.properties.${name}`);
      const isRequired = required.includes(name);
      types.push(type, ...(isRequired ? [] : ['undefined']));
      return `${comment(schema)}${JSON.stringify(name)}${isRequired ? '' : '?'}: ${type};`;
    });
  if (isObject(additionalProperties)) {
    const rest = typeOf(additionalProperties, direction, document, `${place}.additionalProperties`);
    // An index signature covers the named members as well.
    members.push(`[member: string]: ${[...new Set([rest, ...types])].join(' | ')};`);
  } else if (additionalProperties === true || (members.length === 0 && additionalProperties !== false))
    members.push('[member: string]: unknown;');
  return members.length === 0 ? 'Record<string, never>' : `{ ${members.join('\n')} }`;
}
