import { isObject } from '../document.mjs';

/** The alternatives that a client may choose from; none is needed for the one without a scheme. */
const alternativesOf = (operation, document) => {
  const alternatives = operation.security ?? document.security ?? [];
  return (alternatives.length === 0 ? [{}] : alternatives).map((requirement) =>
    Object.entries(requirement).flatMap(([name, scopes]) => {
      const scheme = meaningOf(document.components?.securitySchemes?.[name] ?? name);
      return [scheme, ...scopes.map((scope) => `${scheme} ${scope}`)];
    }),
  );
};

/** The same for two schemes that clients use in the same way, whatever their names and descriptions. */
const meaningOf = (scheme) =>
  JSON.stringify(scheme, (name, value) => {
    if (name === 'description' || name === 'bearerFormat') return undefined;
    return isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;
  });

/** Whether the credentials that satisfy `alternative` also satisfy one of the others. */
const isEnoughFor = (alternative, others) => others.some((other) => other.every((need) => alternative.includes(need)));

export function compareSecurity(before, after, context) {
  const [left, right] = [alternativesOf(before, context.before), alternativesOf(after, context.after)];
  const inner = context.as('request').at('security');
  if (!left.every((alternative) => isEnoughFor(alternative, right))) {
    inner.breaking('credentials that were accepted are no longer enough');
  } else if (!right.every((alternative) => isEnoughFor(alternative, left))) {
    inner.additive('more credentials are accepted');
  }
}
