import type { SchemaCase } from './schema-cases.js';

const ref = (name: string): string => `{$ref: '#/components/schemas/${name}'}`;
const tagged = (names: readonly string[], more = ''): string =>
  `{oneOf: [${names.map(ref).join(', ')}], discriminator: {propertyName: kind${more}}}`;
const closed = (name: string): string =>
  `{type: object, additionalProperties: false, required: [${name}], properties: {${name}: {type: string}}}`;
const kind = (name: string): string =>
  `{type: object, required: [kind], properties: {kind: {type: string, enum: [${name}]}, size: {type: integer}}}`;

/** Components of each document: `Cat` and `Lion` are the same, `Dog` and `Wolf` too. */
const CAT = '{type: object, required: [kind], properties: {kind: {type: string}, lives: {type: integer}}}';
const DOG = '{type: object, required: [kind], properties: {kind: {type: string}, tricks: {type: integer}}}';
export const ALTERNATIVES = `Cat: ${CAT}, Lion: ${CAT}, Dog: ${DOG}, Wolf: ${DOG}`;

/** The name of a schema is the value of its tag. */
export const TAG_CASES: readonly SchemaCase[] = [
  ['a tagged schema is renamed', tagged(['Cat', 'Dog']), tagged(['Lion', 'Dog']), 'breaking', 'breaking'],
  [
    'tagged schemas trade their contents',
    tagged(['Cat', 'Dog'], ', mapping: {a: Cat, b: Dog}'),
    tagged(['Cat', 'Dog'], ', mapping: {b: Cat, a: Dog}'),
    'breaking',
    'breaking',
  ],
  [
    'a tagged schema is renamed, and its tag is not',
    tagged(['Cat', 'Dog'], ', mapping: {a: Cat}'),
    tagged(['Lion', 'Dog'], ', mapping: {a: Lion}'),
    'none',
    'none',
  ],
  [
    'a tagged schema is renamed inside of what is not understood',
    `{allOf: [{not: ${tagged(['Cat'])}}, {not: {}}]}`,
    `{allOf: [{not: ${tagged(['Lion'])}}, {not: {}}]}`,
    'breaking',
    'breaking',
  ],
  [
    'a tagged schema is renamed in one of two unions',
    `{allOf: [{oneOf: [{type: object}]}, ${tagged(['Cat'])}]}`,
    `{allOf: [{oneOf: [{type: object}]}, ${tagged(['Lion'])}]}`,
    'breaking',
    'breaking',
  ],
  [
    'names are mapped to themselves',
    tagged(['Cat', 'Dog']),
    tagged(['Cat', 'Dog'], `, mapping: {Cat: '#/components/schemas/Cat', Dog: Dog}`),
    'none',
    'none',
  ],
  ['another member has the tag', tagged(['Cat']), tagged(['Cat']).replace('kind', 'sort'), 'breaking', 'breaking'],
  ['a tag is added', tagged(['Cat']), tagged(['Cat', 'Dog']), 'additive', 'breaking'],
  ['a tag is removed', tagged(['Cat', 'Dog']), tagged(['Cat']), 'breaking', 'additive'],
  [
    'the mapping of alternatives without a name changes',
    '{oneOf: [{type: object}], discriminator: {propertyName: kind, mapping: {a: Cat}}}',
    '{oneOf: [{type: object}], discriminator: {propertyName: kind, mapping: {b: Cat}}}',
    'breaking',
    'breaking',
  ],
  ['a discriminator is dropped', tagged(['Cat']), `{oneOf: [${ref('Cat')}]}`, 'breaking', 'breaking'],
];

type Pair = readonly [title: string, before: string, after: string];

/** A value that matches two alternatives of a oneOf is refused. */
const OVERLAPPING: readonly Pair[] = [
  ['a type becomes one of two that overlap', '{type: integer}', oneOf('{type: integer}', '{type: number}')],
  ['an alternative overlaps', oneOf('{type: integer}'), oneOf('{type: integer}', '{type: number}')],
  [
    'an alternative overlaps with null',
    oneOf('{type: integer, nullable: true}'),
    oneOf('{type: integer, nullable: true}', '{type: string, nullable: true}'),
  ],
  [
    'a range grows into another',
    oneOf('{type: integer, maximum: 5}', '{type: integer, minimum: 6}'),
    oneOf('{type: integer, maximum: 7}', '{type: integer, minimum: 6}'),
  ],
  [
    'a range reaches another',
    oneOf('{type: number, maximum: 5}', '{type: number, minimum: 6}'),
    oneOf('{type: number, maximum: 6}', '{type: number, minimum: 6}'),
  ],
  [
    'an alternative without its own required member is added',
    oneOf(kind('a')),
    oneOf(kind('a'), '{type: object, required: [kind]}'),
  ],
  [
    'an alternative with a member that others may have is added',
    oneOf('{type: object, additionalProperties: true}'),
    oneOf('{type: object, additionalProperties: true}', closed('a')),
  ],
  ['an enum gets a value of another', oneOf('{enum: [a]}', '{enum: [b]}'), oneOf('{enum: [a, b]}', '{enum: [b]}')],
  [
    'an alternative of another one overlaps',
    oneOf(oneOf('{type: integer}', '{type: string}')),
    oneOf(oneOf('{type: integer}', '{type: string}'), '{enum: [a]}'),
  ],
];

export const OVERLAP_CASES: readonly SchemaCase[] = OVERLAPPING.map((pair) => [...pair, 'breaking', 'breaking']);

/** Alternatives that exclude each other: more of them accept more. */
const EXCLUSIVE: readonly (readonly [by: string, known: string, added: string])[] = [
  ['type', '{type: integer}', '{type: string}'],
  ['type, and null only once', '{type: integer, nullable: true}', '{type: string}'],
  ['range', '{type: integer, maximum: 5}', '{type: number, minimum: 6}'],
  ['range, without the bound', '{type: number, maximum: 5}', '{type: number, minimum: 5, exclusiveMinimum: true}'],
  ['enum', '{type: string, enum: [a]}', '{type: string, enum: [b]}'],
  ['types of an enum', '{enum: [a, 1, null, true]}', '{enum: [[a], {a: 1}]}'],
  [
    'required member',
    '{type: object, required: [a], properties: {a: {}}}',
    '{type: object, required: [b], properties: {b: {}}}',
  ],
  ['value of a member', kind('a'), kind('b')],
  ['closed object', '{type: object, required: [b], additionalProperties: true, properties: {b: {}}}', closed('a')],
  ['alternatives of its own', oneOf('{type: integer}', '{type: boolean}'), '{type: string}'],
];

export const EXCLUSIVE_CASES: readonly SchemaCase[] = [
  ...EXCLUSIVE.map(([title, known, added]): SchemaCase => [
    `an alternative of another ${title} is added`,
    oneOf(known),
    oneOf(known, added),
    'additive',
    'breaking',
  ]),
  [
    'an alternative reaches requests for another one that have a member declared beside both',
    besideName('{required: [name, kind], properties: {kind: {enum: [b]}}}'),
    besideName('{required: [name, kind], properties: {kind: {enum: [a, b]}}}'),
    'breaking',
    'breaking',
  ],
  [
    'an alternative that requires a member of its own widens, beside a member declared for both',
    besideName('{required: [kind, size], properties: {kind: {enum: [b]}, size: {type: integer}}}'),
    besideName('{required: [kind, size], properties: {kind: {enum: [a, b]}, size: {type: integer}}}'),
    'additive',
    'breaking',
  ],
];

function oneOf(...alternatives: readonly string[]): string {
  return `{oneOf: [${alternatives.join(', ')}]}`;
}

function besideName(alternative: string): string {
  const another = '{type: object, required: [kind], properties: {kind: {type: string, enum: [a]}}}';
  const own = alternative.replace('{', '{type: object, ').replace('{enum', '{type: string, enum');
  return `{type: object, properties: {name: {type: string}}, oneOf: [${own}, ${another}]}`;
}
