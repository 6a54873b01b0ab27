import fc from 'fast-check';
import { CATEGORY_VIOLATED, NAME_VIOLATED, STATUS_VIOLATED } from './outcome.js';
import { STATUSES } from '../support/pets.js';

// Generates input together with its expected outcome: the reported violation or the stored value.

/** A member of a body; omitted when it has no text. */
export interface Member {
  readonly text?: string;
  readonly violation?: string;
  readonly value?: unknown;
}

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

const json = (value: unknown): string => JSON.stringify(value);

/** The JSON string with every n-th character escaped. */
function escaped(text: string, every: number): string {
  const units = text.split('').map((unit, index) => {
    const code = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return index % every === 0 ? `\\u${code}` : json(unit).slice(1, -1);
  });
  return `"${units.join('')}"`;
}

const goodText = fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.replaceAll('\0', ''));

const goodName: fc.Arbitrary<Member> = fc.oneof(
  goodText.map((value) => ({ text: json(value), value })),
  fc
    .tuple(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.integer({ min: 1, max: 3 }))
    // Escape both halves of a surrogate pair.
    .map(([value, every]) => ({ text: escaped(value, /[\ud800-\udfff]/.test(value) ? 1 : every), value })),
);

const badName: fc.Arbitrary<Member> = fc.oneof(
  fc.constant({ violation: 'name is required' }),
  fc
    .oneof(
      fc.constantFrom('null', 'true', '0', '1.5', '[]', '{}', '["Rex"]', '"\\u0000"', '"a\\u0000b"'),
      fc.constantFrom('"\\ud800"', '"\\udc00"', '"\\udc00\\ud800"', '"Rex \\udbff"', '"\\ud800\\ud800\\udc00"'),
      fc.bigInt().map(String),
    )
    .map((text) => ({ text, violation: NAME_VIOLATED })),
);

/** The JSON notations of an integer. */
const notation = fc.constantFrom<(value: bigint) => string>(
  String,
  (value) => `${value}.0`,
  (value) => `${value}.000000000000000000000`,
  (value) => `${value}e0`,
  (value) => (value === 0n ? '-0' : `${value}00E-2`),
  (value) => (value === 0n ? '0.0e5' : `${value}000.00e-03`),
  (value) => {
    const digits = String(value < 0n ? -value : value);
    return `${value < 0n ? '-' : ''}${digits[0]}.${digits.slice(1)}0e+${digits.length - 1}`;
  },
);

const int64 = fc.oneof(
  fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
  fc.bigInt({ min: -1000n, max: 1000n }),
  fc.constantFrom(INT64_MIN, INT64_MAX, 0n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 53n - 1n),
);

const goodCategory: fc.Arbitrary<Member> = fc.tuple(int64, notation).map(([value, write]) => ({
  text: write(value),
  value: Number.isSafeInteger(Number(value)) ? Number(value) : value,
}));

const beyondInt64 = fc.oneof(
  fc.bigInt({ min: INT64_MAX + 1n, max: 2n ** 70n }),
  fc.bigInt({ min: -(2n ** 70n), max: INT64_MIN - 1n }),
  fc.constantFrom(INT64_MAX + 1n, INT64_MIN - 1n, 2n ** 64n, 10n ** 300n),
);

const badCategory: fc.Arbitrary<Member> = fc.oneof(
  fc.constant({ violation: 'categoryId is required' }),
  fc
    .oneof(
      fc.tuple(beyondInt64, notation).map(([value, write]) => write(value)),
      fc.tuple(int64, fc.integer({ min: 1, max: 999 })).map(([value, rest]) => `${value}.${rest}`.replace(/0+$/, '5')),
      fc.constantFrom('null', 'false', '"7"', '""', '[7]', '{}', '1e400', '-1e400', '1e-400', '9223372036854775807.5'),
    )
    .map((text) => ({ text, violation: CATEGORY_VIOLATED })),
);

const goodStatus: fc.Arbitrary<Member> = fc.oneof(
  fc.constant({}),
  fc.constantFrom(...STATUSES).map((value) => ({ text: json(value), value })),
  fc.constantFrom(...STATUSES).map((value) => ({ text: escaped(value, 1), value })),
);

const badStatus: fc.Arbitrary<Member> = fc
  .oneof(
    fc.constantFrom(
      'null',
      '0',
      'true',
      '[]',
      '["sold"]',
      '{}',
      '""',
      '"Sold"',
      '"sold "',
      '"toString"',
      '"__proto__"',
    ),
    fc.string({ unit: 'binary' }).map((text) => json(`${text}?`)),
  )
  .map((text) => ({ text, violation: STATUS_VIOLATED }));

const DECLARED = ['name', 'categoryId', 'status'];

/** Undeclared members with distinct names. */
const others = fc
  .dictionary(
    fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.constantFrom('id', '__proto__', 'constructor', 'Name')),
    fc.jsonValue({ maxDepth: 3 }),
    { maxKeys: 3, noNullPrototype: false },
  )
  .map((object) => Object.entries(object).filter(([name]) => !DECLARED.includes(name)))
  .map((entries) => entries.map(([name, value]) => `${json(name)}:${json(value)}`));

export interface Body {
  readonly text: string;
  /** In the order in which the service reports them; empty when the body is valid. */
  readonly violations: readonly string[];
  /** The expected pet without its id. */
  readonly pet: Record<string, unknown>;
}

function body(
  name: fc.Arbitrary<Member>,
  category: fc.Arbitrary<Member>,
  status: fc.Arbitrary<Member>,
): fc.Arbitrary<Body> {
  const space = fc.constantFrom('', '', ' ', '\n\t', '\r\n');
  return fc
    .tuple(fc.tuple(name, category, status), others, space, fc.nat(1000))
    .map(([members, undeclared, gap, order]) => {
      const declared = members.flatMap(({ text }, index) =>
        text === undefined ? [] : `"${DECLARED[index]}"${gap}:${text}`,
      );
      const all = [...declared, ...undeclared];
      const rotated = [...all.slice(order % all.length || 0), ...all.slice(0, order % all.length || 0)];
      return {
        text: `${gap}{${gap}${rotated.join(`${gap},${gap}`)}}${gap}`,
        violations: members.flatMap(({ violation }) => violation ?? []),
        pet: Object.fromEntries(
          members.flatMap(({ value }, index) => (value === undefined ? [] : [[DECLARED[index]!, value]])),
        ),
      };
    });
}

export const goodBody = body(goodName, goodCategory, goodStatus);

const either = (good: fc.Arbitrary<Member>, bad: fc.Arbitrary<Member>): fc.Arbitrary<Member> =>
  fc.oneof({ arbitrary: good, weight: 2 }, { arbitrary: bad, weight: 1 });

export const anyBody = body(
  either(goodName, badName),
  either(goodCategory, badCategory),
  either(goodStatus, badStatus),
);

/** The bytes of a valid body with a few of them changed. */
export const nearlyBody = fc
  .tuple(
    goodBody.map(({ text }) => Buffer.from(text)),
    fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('{}[]:,"\\u0.e-')))), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([bytes, edits]) =>
    edits.reduce((edited, [position, removed, inserted]) => {
      const at = position % (edited.length + 1);
      return Buffer.concat([edited.subarray(0, at), Buffer.from([inserted]), edited.subarray(at + removed)]);
    }, bytes),
  );
