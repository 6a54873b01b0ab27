import type { ContractNode } from '../source/contract-node.js';
import { type Check, type Compile, inside, sentence } from './check.js';
import { isFlagged, withParts } from './schema-type.js';

/** A check of one of several schemas: `oneOf` or `anyOf`. */
export function unionCheck(schema: ContractNode, keyword: 'oneOf' | 'anyOf', compile: Compile): Check {
  const discriminator = schema.get('discriminator');
  return discriminator
    ? taggedCheck(discriminator, taggedAlternatives(schema, keyword), compile)
    : untaggedCheck(schema.need(keyword).children().map(compile), keyword);
}

function untaggedCheck(alternatives: readonly Check[], keyword: 'oneOf' | 'anyOf'): Check {
  const matching = (value: unknown): Check[] => alternatives.filter(({ isValid }) => isValid(value));
  const fits = keyword === 'anyOf' ? (count: number) => count > 0 : (count: number) => count === 1;
  return {
    isValid: (value) => fits(matching(value).length),
    explain: (value, place, sentences) => {
      const count = matching(value).length;
      if (fits(count)) return;
      const found = count === 0 ? 'none' : `${count}`;
      const demand = keyword === 'anyOf' ? 'at least one' : 'exactly one';
      sentences.push(
        sentence(place, `must match ${demand} of the ${alternatives.length} declared alternatives, not ${found}`),
      );
    },
    ...(alternatives.some(({ complete }) => complete) && {
      complete: (value: unknown) => matching(value)[0]?.complete?.(value) ?? value,
    }),
  };
}

/** The alternatives by the value of the property that tells them apart. */
export function taggedAlternatives(schema: ContractNode, keyword: 'oneOf' | 'anyOf'): Map<string, ContractNode> {
  const alternatives = schema
    .need(keyword)
    .written()
    .map((written) => {
      const reference = (written.value as { $ref?: string } | null)?.$ref;
      return reference === undefined
        ? written.fail('an alternative beside "discriminator" must be a reference to a schema in "components"')
        : { reference, target: written.target() };
    });
  const mapping = (schema.need('discriminator').get('mapping')?.children() ?? []).map((mapped) => {
    const to = mapped.text();
    const found = alternatives.find(({ reference }) => reference === to || reference.endsWith(`/${to}`));
    return found
      ? { name: mapped.key, ...found }
      : mapped.fail(`the mapping "${mapped.key}" must lead to one of the alternatives`);
  });
  // A mapping replaces the name of the schema.
  const unmapped = alternatives.filter(({ reference }) => mapping.every((mapped) => mapped.reference !== reference));
  const shadowed = mapping.find(({ name }) => unmapped.some(({ reference }) => reference.endsWith(`/${name}`)));
  if (shadowed) {
    schema.need('discriminator').fail(`the mapping "${shadowed.name}" hides the alternative of that name; map both`);
  }
  return new Map([
    ...unmapped.map(({ reference, target }) => [reference.split('/').at(-1) ?? '', target] as const),
    ...mapping.map(({ name, target }) => [name, target] as const),
  ]);
}

/** Otherwise a response could be written without the tag, or a request never be valid. */
function assertHasTag(discriminator: ContractNode, tag: string, alternative: ContractNode): void {
  const parts = withParts(alternative);
  const isRequired = parts.some((part) =>
    part
      .get('required')
      ?.children()
      .some((name) => name.value === tag),
  );
  const declarations = parts.flatMap((part) => part.get('properties')?.get(tag) ?? []);
  const isOneWay = declarations.some((one) => isFlagged(one, 'readOnly') || isFlagged(one, 'writeOnly'));
  if (isRequired && declarations.length > 0 && !isOneWay) return;
  const name = alternative.path.at(-1);
  discriminator.fail(`the alternative "${name}" must require "${tag}" and declare it, neither readOnly nor writeOnly`);
}

function taggedCheck(discriminator: ContractNode, alternatives: Map<string, ContractNode>, compile: Compile): Check {
  const tag = discriminator.need('propertyName').text();
  const checks = new Map([...alternatives].map(([name, schema]) => [name, compile(schema)]));
  for (const alternative of alternatives.values()) assertHasTag(discriminator, tag, alternative);
  const names = [...checks.keys()].join(', ');
  const chosen = (value: unknown): Check | undefined => checks.get(tagOf(value, tag) as string);
  return {
    isValid: (value) => chosen(value)?.isValid(value) ?? false,
    explain: (value, place, sentences) => {
      const check = chosen(value);
      const at = inside(place, tag);
      if (check) check.explain(value, place, sentences);
      else if (typeof value !== 'object' || value === null) sentences.push(sentence(place, 'must be an object'));
      else sentences.push(sentence(at, tagOf(value, tag) === undefined ? 'is required' : `must be one of ${names}`));
    },
    ...([...checks.values()].some(({ complete }) => complete) && {
      complete: (value: unknown) => chosen(value)?.complete?.(value) ?? value,
    }),
  };
}

export function tagOf(value: unknown, tag: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, tag)
    ? (value as Record<string, unknown>)[tag]
    : undefined;
}
