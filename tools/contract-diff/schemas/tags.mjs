import { compareBy, compareEach, ignored, unjudged } from '../context.mjs';

/** Compares what tells alternatives apart. Its mapping counts in `tagsOf` of tools/contract. */
export function compareDiscriminators(before, after, context, name) {
  if (before === undefined || after === undefined) unjudged(before, after, context, name);
  else compareBy({ mapping: ignored }, before, after, context.at(name));
}

/** A tag chooses one alternative, so that they exclude each other. */
export function compareTagged(before, after, context, compareSchemas) {
  compareEach(before, after, context, {
    added: (_, inner) => inner.wider('alternative added'),
    removed: (_, inner) => inner.narrower('alternative removed'),
    both: compareSchemas,
  });
}
