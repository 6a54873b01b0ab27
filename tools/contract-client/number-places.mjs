import { isObject, resolve } from '../contract/document.mjs';
import { refuse } from './refusal.mjs';
import { isInt64, isLeftOut, readSchema, typesOf } from './schema.mjs';

/**
 * How to read the numbers of a response: `int64` for a bigint, `double` for a number, an object with `members`, `rest`,
 * `items`, and `number` where it may be one of these as well, or undefined where a number is as good as a bigint. JSON does
 * not distinguish them, so the client must know.
 */
export const numberPlaces = (schema, document, place) => pruned(placesOf(schema, document, place, []));

/** Like numberPlaces, but also with other integers, which must not share a place with an int64. */
function placesOf(schema, document, place, above) {
  if (!isObject(schema)) return {};
  if (above.includes(schema)) refuse(place, 'the client cannot read a schema that contains itself');
  const read = readSchema(schema, document, place);
  const inner = (part, name) => placesOf(part, document, `${place}.${name}`, [...above, schema]);

  const places = [];
  if (read.$ref !== undefined) places.push(placesOf(resolve(read, document), document, place, [...above, schema]));
  if (isInt64(read)) places.push({ number: 'int64' });
  else if (typesOf(read).includes('number')) places.push({ number: 'double' });
  else if (typesOf(read).includes('integer')) places.push({ number: 'integer' });
  if (read.items !== undefined) places.push({ items: inner(read.items, 'items') });
  const members = Object.entries(read.properties ?? {}).filter(
    ([, member]) => !isLeftOut(member, 'response', document),
  );
  places.push({
    members: members.map(([name, member]) => [name, inner(member, `properties.${name}`)]),
    rest: read.additionalProperties && inner(read.additionalProperties, 'additionalProperties'),
  });
  for (const keyword of ['allOf', 'oneOf', 'anyOf'])
    places.push(...(read[keyword] ?? []).map((part, at) => inner(part, `${keyword}.${at}`)));
  return places.reduce((merged, next) => merge(merged, next, place), {});
}

function merge(one = {}, other = {}, place = '') {
  const kinds = new Set([one.number, other.number].filter((kind) => kind !== undefined));
  if (kinds.size > 1 && kinds.has('int64'))
    refuse(place, 'a value is an int64 in one schema and another number in the next; give it the same format in both');
  const either = (name) => (one[name] ?? other[name]) && merge(one[name], other[name], `${place}.${name}`);
  const inOne = new Map(one.members);
  const inOther = new Map(other.members);
  const members = [...new Set([...inOne.keys(), ...inOther.keys()])].map((name) => [
    name,
    merge(inOne.get(name) ?? one.rest, inOther.get(name) ?? other.rest, `${place}.${name}`),
  ]);
  const [number] = kinds.has('double') ? ['double'] : kinds;
  return { number, members, rest: either('rest'), items: either('items') };
}

function pruned({ number, members = [], rest, items } = {}) {
  const own = number === 'integer' ? undefined : number;
  const inRest = rest && pruned(rest);
  // Without an entry, a member would be taken for one of the rest.
  const kept = members.map(([name, inner]) => [name, pruned(inner) ?? (inRest && {})]).filter(([, inner]) => inner);
  const places = {
    ...(own && { number: own }),
    ...(kept.length > 0 && { members: Object.fromEntries(kept) }),
    ...(inRest && { rest: inRest }),
    ...(items && { items: pruned(items) }),
  };
  const found = Object.entries(places).filter(([, inner]) => inner !== undefined);
  if (found.length === 0) return undefined;
  return own && found.length === 1 ? own : Object.fromEntries(found);
}
