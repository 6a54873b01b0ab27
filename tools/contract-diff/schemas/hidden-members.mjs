import { NEVER, normalise } from './normalise.mjs';

/**
 * A name that one side hides from the direction, and the other side does not declare, is an undeclared member there. The service
 * refuses a request with a readOnly member, whatever its value, and accepts one with an undeclared member; it drops a writeOnly
 * member of a response, and returns an undeclared one where the contract permits that.
 */
export function compareHiddenMembers({ schema: left, ...before }, { schema: right, ...after }, context) {
  const isFree = context.direction === 'request' ? mayBeSent : isReturned;
  for (const name of after.hidden)
    if (isUnknown(name, before) && isFree(left, context.before))
      context.at(name).breaking('no longer an undeclared member');
  for (const name of before.hidden)
    if (isUnknown(name, after) && isFree(right, context.after))
      context.at(name).additive('becomes an undeclared member');
}

const isUnknown = (name, { schemas, hidden }) => !schemas.has(name) && !hidden.has(name);

const mayBeSent = ({ additionalProperties }, document) => normalise(additionalProperties, document) !== NEVER;

/** `additionalProperties` may stand in a part of its own. */
const isReturned = ({ allOf = [], ...own }) => [own, ...allOf].some((part) => part.additionalProperties);
