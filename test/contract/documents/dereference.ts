import { mergeAllOf } from './merge-all-of.js';
import { neutralSchema } from './neutral-schema.js';
import type { OpenApiDocument, Schema } from '../open-api.js';

/** A copy without `$ref`, `allOf` and shared objects, so that each place can be changed alone. Schemas have one form. */
export function dereference(document: OpenApiDocument): OpenApiDocument {
  return copy(document, document, []) as OpenApiDocument;
}

function copy(value: unknown, root: unknown, within: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, root, within));
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value && typeof value.$ref === 'string') {
    if (within.includes(value.$ref)) throw new Error(`${value.$ref} refers to itself`);
    return copy(target(root, value.$ref), root, [...within, value.$ref]);
  }
  const members = Object.entries(value).map(([name, member]) => [name, copy(member, root, within)] as const);
  const plain: Schema = Object.fromEntries(members);
  return neutralSchema(Array.isArray(plain.allOf) ? mergeAllOf(plain) : plain);
}

function target(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) throw new Error(`${reference} is not a reference within the document`);
  let found = root;
  for (const step of reference.slice(2).split('/')) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) {
      throw new Error(`${reference} refers to nothing`);
    }
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}
