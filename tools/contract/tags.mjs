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
