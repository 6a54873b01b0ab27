import { parse } from 'yaml';
import { jsonText } from '../json-text.mjs';

/**
 * Keeps every digit of an integer: bounds of int64 differ in the last one. Like the service, it allows any number of aliases of
 * an anchor: the file is our own.
 */
export const parseDocument = (text) => parse(text, { intAsBigInt: true, maxAliasCount: -1 });

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

const hasReference = (value) => isObject(value) && typeof value.$ref === 'string';

/** From OpenAPI 3.1 on, a reference may have keywords beside it. */
export const isReference = (value) => hasReference(value) && Object.keys(value).length === 1;

/** The object that a reference leads to, across several references. `isFollowed` tells which ones count. */
export function resolve(value, document, isFollowed = hasReference) {
  let target = value;
  for (let followed = 0; isFollowed(target); followed += 1) {
    if (followed > 100) refuse(target.$ref);
    target = targetOf(target.$ref, document);
  }
  return target;
}

export const targetOf = ($ref, document) =>
  ($ref.startsWith('#/') ? atPointer(document, $ref) : undefined) ?? refuse($ref);

function refuse($ref) {
  throw new Error(`${$ref} leads nowhere in this file: correct the $ref.`);
}

const atPointer = (document, pointer) =>
  pointer
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((value, part) => value?.[part], document);

/** The names of both objects, each once. */
export const namesOf = (before = {}, after = {}) => [...new Set([...Object.keys(before), ...Object.keys(after)])];

/** A value as a reader sees it in a report. */
export function shown(value) {
  if (value === undefined) return 'none';
  const text = jsonText(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
