import { shown } from '../../contract/document.mjs';

/** The keywords that a flat schema has under another name, and whether they exclude their value. */
const FLAT_NAMES = new Map([
  ['minimum', ['lower', false]],
  ['exclusiveMinimum', ['lower', true]],
  ['maximum', ['upper', false]],
  ['exclusiveMaximum', ['upper', true]],
]);

/** What `x-always-enforced` excuses: the values that stand beside it, whatever other parts of `allOf` add. */
export const enforcedIn = (names, schema) =>
  names?.map((name) => {
    const [flat, isOpen] = FLAT_NAMES.get(name) ?? [name];
    return { name, flat, value: schema[flat]?.isOpen === isOpen ? schema[flat] : undefined };
  });

/**
 * A keyword that the service enforced before the contract declared it changes only the document. Such a keyword is named in
 * `x-always-enforced`. A name that stood there before was not enforced.
 */
export function withDeclared(left, right, context) {
  const known = new Set(left['x-always-enforced']?.map(({ name }) => name));
  const declared = (right['x-always-enforced'] ?? []).filter(
    ({ name, flat, value }) =>
      value !== undefined && !(flat in left) && !known.has(name) && context.isSame(value, right[flat]),
  );
  for (const { name, value } of declared)
    context.documentation(`${name} ${shown(value?.value ?? value)} was always enforced`);
  return { ...left, ...Object.fromEntries(declared.map(({ flat }) => [flat, right[flat]])) };
}
