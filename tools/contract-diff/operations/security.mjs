import { isObject } from '../../contract/document.mjs';

/** The alternatives that a client may choose from; none is needed for the one without a scheme. */
const alternativesOf = (operation, document, identify) => {
  const alternatives = operation.security ?? document.security ?? [];
  return (alternatives.length === 0 ? [{}] : alternatives).map((requirement) =>
    Object.entries(requirement).flatMap(([name, scopes]) => {
      const scheme = identify(name, meaningOf(document.components?.securitySchemes?.[name] ?? name));
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

const areEnough = ([from, to]) => from.every((alternative) => isEnoughFor(alternative, to));

/** A guard belongs to the name of its scheme: under another name, other keys may be accepted. */
const byName = (name, meaning) => `${name} ${meaning}`;
const byMeaning = (_, meaning) => meaning;

export function compareSecurity(before, after, context) {
  const alternatives = (identify) => [
    alternativesOf(before, context.before, identify),
    alternativesOf(after, context.after, identify),
  ];
  const [left, right] = alternatives(byName);
  const inner = context.as('request').at('security');
  if (!areEnough([left, right])) {
    if (areEnough(alternatives(byMeaning)))
      inner.unjudged('a scheme of another name, whose guard may accept other keys');
    else inner.breaking('credentials that were accepted are no longer enough');
  } else if (!areEnough([right, left])) {
    inner.additive('more credentials are accepted');
  }
}
