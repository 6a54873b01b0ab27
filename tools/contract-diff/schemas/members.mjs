import { normalise } from './normalise.mjs';

/**
 * The members and the required names of a flat schema. Members that only the other direction has do not count; `hidden` names
 * them.
 */
export function membersOf({ properties = {}, required = [] }, { direction }, document) {
  const flag = { request: 'readOnly', response: 'writeOnly' }[direction];
  const schemas = new Map(Object.entries(properties));
  const hidden = new Set([...schemas.keys()].filter((name) => normalise(schemas.get(name), document)[flag]));
  for (const name of hidden) schemas.delete(name);
  return { schemas, required: new Set(required.filter((name) => !hidden.has(name))), hidden };
}
