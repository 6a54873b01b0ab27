import { isObject } from '../../contract/document.mjs';
import { normalise } from './normalise.mjs';

/**
 * Parts of a schema can declare the same member. When one declares it from now on, requests may have had another value, because
 * another part declares it as well, or its undeclared members. The alternatives of a union are one part: a request is for one
 * of them.
 */
export function compareSharedMembers(left, right, context, compareSchemas) {
  if (context.direction !== 'request') return;
  const before = partsOf(left, context.before);
  for (const [at, part] of partsOf(right, context.after).entries()) {
    const others = before.filter((_, other) => other !== at).flat();
    for (const name of newNames(before[at] ?? [], part))
      for (const was of others.flatMap((schema) => declaredIn(schema, name) ?? undeclaredIn(schema)))
        for (const is of part.flatMap((schema) => declaredIn(schema, name) ?? []))
          compareSchemas(was, is, context.at(name));
  }
}

/** Each part as a list of the flat schemas that it consists of. */
const partsOf = ({ oneOf, anyOf, allOf = [], ...own }, document) =>
  [own, { oneOf }, { anyOf }, ...allOf].map((part) => withInner(part, document));

function withInner(schema, document, found = new Set()) {
  if (found.has(schema)) return [];
  found.add(schema);
  const { allOf = [], oneOf = [], anyOf = [] } = schema;
  const alternatives = [...oneOf, ...anyOf].map((alternative) => normalise(alternative, document));
  return [schema, ...[...allOf, ...alternatives].flatMap((inner) => withInner(inner, document, found))];
}

const declaredIn = ({ properties = {} }, name) => (Object.hasOwn(properties, name) ? properties[name] : undefined);

const undeclaredIn = ({ additionalProperties }) => (isObject(additionalProperties) ? additionalProperties : []);

const countOf = (schemas, name) => schemas.filter((schema) => declaredIn(schema, name) !== undefined).length;

/** Alternatives may have declared a member already, but fewer of them. */
function newNames(before, after) {
  const names = new Set(after.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].filter((name) => countOf(after, name) > countOf(before, name));
}
