import { compareBy, compareEach, ignored, unjudged } from '../context.mjs';

/** Compares what tells alternatives apart. Its mapping counts in `tagsOf`. */
export function compareDiscriminators(before, after, context, name) {
  if (before === undefined || after === undefined) unjudged(before, after, context, name);
  else compareBy({ mapping: ignored }, before, after, context.at(name));
}

/**
 * The alternatives by the value that chooses them: the name of the schema, or what the mapping has instead. Undefined without a
 * discriminator, and where an alternative has no name.
 */
export function tagsOf({ discriminator, ...schema }, kind) {
  const alternatives = schema[kind];
  if (discriminator === undefined || !alternatives?.every(({ $ref }) => $ref)) return undefined;
  const mapping = Object.entries(discriminator.mapping ?? {});
  const namesOf = ({ $ref }) => {
    const mapped = mapping.filter(([, to]) => to === $ref || $ref.endsWith(`/${to}`)).map(([name]) => name);
    return mapped.length > 0 ? mapped : [$ref.split('/').at(-1)];
  };
  return Object.fromEntries(alternatives.flatMap((one) => namesOf(one).map((name) => [name, one])));
}

/** A tag chooses one alternative, so that they exclude each other. */
export function compareTagged(before, after, context, compareSchemas) {
  compareEach(before, after, context, {
    added: (_, inner) => inner.wider('alternative added'),
    removed: (_, inner) => inner.narrower('alternative removed'),
    both: compareSchemas,
  });
}
