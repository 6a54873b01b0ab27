import type { DeclaredField } from '../../contract/requests/declared-fields.js';

/** The least integer that a number rounds. */
export const UNSAFE = 9_007_199_254_740_993n;

const USUAL = new Map<string, readonly unknown[]>([
  ['boolean', [true, false]],
  ['integer', [7]],
  ['number', [1.5]],
]);

/** Texts of many forms: which of them is valid depends on the schema. */
export const TEXTS = [
  'text',
  '7',
  'a-b',
  'true',
  '{}',
  '2030-12-05',
  '2030-12-05T10:30:00Z',
  '8e03978e-40d5-43dd-bc93-6894a57f9324',
  'a@example.com',
  'https://example.com/a',
];

/** The values to try: none where the contract accepts none of those below. */
export function samplesOf({
  types,
  itemTypes,
  exceedsNumber,
  values,
  bounds,
  factors,
  accepts,
}: DeclaredField): unknown[] {
  const isList = types[0] === 'array';
  const [type = '', ...others] = isList ? itemTypes : types;
  if (others.length > 0 || types.length > 1) return [];
  const usual = exceedsNumber ? [UNSAFE] : (USUAL.get(type) ?? []);
  const declared = [...values, ...bounds, ...factors];
  const named = type === 'number' ? declared.map(Number) : declared;
  const all = [...usual, ...(isList && type === 'string' ? ['text'] : []), ...named];
  const samples = (isList ? all.flatMap((item) => [[item], [item, item]]) : all).filter(accepts);
  return type === 'boolean' ? samples : samples.slice(0, 1);
}

/** The texts to try where any may be sent; those of an enumeration are tried as other values are. */
export function textsOf({ types, values, schema = {}, accepts }: DeclaredField): unknown[] {
  if (types.join() !== 'string' || values.length > 0) return [];
  const { default: fallback, example, examples } = schema;
  return [fallback, example, examples]
    .flat()
    .concat(TEXTS)
    .filter((text) => typeof text === 'string' && accepts(text));
}
