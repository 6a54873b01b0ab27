import { parse } from 'yaml';

/** Keeps every digit of an integer: bounds of int64 differ in the last one. */
export const parseDocument = (text) => parse(text, { intAsBigInt: true });

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object that a reference leads to, across several references. */
export function resolve(value, document) {
  let target = value;
  for (let followed = 0; isObject(target) && typeof target.$ref === 'string'; followed += 1) {
    const { $ref } = target;
    target = $ref.startsWith('#/') ? atPointer(document, $ref) : undefined;
    if (target === undefined || followed > 100)
      throw new Error(`${$ref} leads nowhere in this file: correct the $ref.`);
  }
  return target;
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
  if (typeof value === 'bigint') return String(value);
  const text = JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? Number(inner) : inner));
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
