import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ManyRequests, TIME } from '../support/http/many-requests.js';
import {
  CURSOR_VIOLATED,
  LIMIT_VIOLATED,
  type Outcome,
  STATUS_VIOLATED,
  badRequest,
  outcome,
  petNotFound,
} from './outcome.js';
import { type Pet, STATUSES, addPets, nextTarget, numbered, walk } from '../support/pets.js';

const requests = new ManyRequests(4_000);

describe('parameters', () => {
  let cursors: string[];

  beforeAll(async () => {
    await addPets(requests.service.api, numbered(20, { status: 'sold' }));
    cursors = [];
    for (let target: string | undefined = '/v1/pets?limit=4'; target && cursors.length < 3;) {
      target = nextTarget(await requests.send('GET', target));
      cursors.push(new URLSearchParams(target?.split('?')[1]).get('cursor')!);
    }
  });

  interface Parameter {
    readonly name: string;
    readonly values: readonly string[];
    readonly violation?: string;
  }

  const word = fc.oneof(fc.string({ maxLength: 8 }), fc.string({ unit: 'binary', maxLength: 4 }));
  const parameter = (name: string, good: fc.Arbitrary<string>, bad: fc.Arbitrary<string>, violation: string) =>
    fc.oneof(
      fc.constant<Parameter>({ name, values: [] }),
      good.map((value): Parameter => ({ name, values: [value] })),
      bad.map((value): Parameter => ({ name, values: [value], violation })),
      fc
        .tuple(good, fc.oneof(good, bad))
        .map((values): Parameter => ({ name, values, violation: `${name} must be given once` })),
    );
  const limit = parameter(
    'limit',
    fc.integer({ min: 1, max: 100 }).map(String),
    fc.oneof(
      fc.constantFrom(
        '0',
        '101',
        '-1',
        '1.5',
        '1.0',
        '1e1',
        '01',
        '+5',
        ' 5',
        '5 ',
        '',
        '٣',
        '５',
        'NaN',
        '0x10',
        '5,6',
      ),
      fc
        .bigInt()
        .filter((value) => value < 1n || value > 100n)
        .map(String),
      word.filter((value) => !/^([1-9]\d?|100)$/.test(value)),
    ),
    LIMIT_VIOLATED,
  );
  const status = parameter(
    'status',
    fc.constantFrom(...STATUSES),
    fc.oneof(
      fc.constantFrom('', 'Sold', 'sold ', 'sold,pending', 'null', '__proto__', 'toString'),
      word.map((value) => `${value}?`),
    ),
    STATUS_VIOLATED,
  );
  const cursor = parameter(
    'cursor',
    fc.nat(2).map((index) => cursors[index]!),
    fc.oneof(
      word.filter((value) => value.length !== 16),
      fc.tuple(fc.nat(2), fc.nat(15)).map(([index, at]) => {
        const good = cursors[index]!;
        return good.slice(0, at) + (good[at] === 'A' ? 'B' : 'A') + good.slice(at + 1);
      }),
    ),
    CURSOR_VIOLATED,
  );
  const undeclared = fc
    .tuple(fc.constantFrom('x', 'Limit', 'limit[]', 'limit ', 'statuses', '__proto__', 'constructor', ''), word)
    .map(([name, value]): Parameter => ({ name, values: [value] }));

  /** Percent-encodes as a browser does, or every character. */
  function encoded(part: string, all: boolean): string {
    if (!all) return encodeURIComponent(part);
    return [...Buffer.from(part)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  }

  const query = fc
    .tuple(fc.tuple(limit, status, cursor, undeclared), fc.boolean(), fc.nat(3))
    .map(([parts, all, first]) => {
      const pairs = parts.flatMap(({ name, values }) =>
        values.map((value) => `${encoded(name, all)}=${encoded(value, all)}`),
      );
      const value = (index: number): string | undefined => parts[index]?.values[0];
      return {
        text: [...pairs.slice(first), ...pairs.slice(0, first)].join('&'),
        violations: parts.flatMap(({ violation }) => violation ?? []),
        limit: Number(value(0) ?? 20),
        status: value(1),
      };
    });

  it(
    'of a list are applied or get 400 with each violation',
    async () => {
      await requests.check(120, query, async ({ text: search, violations, ...expected }) => {
        const response = await requests.send('GET', `/v1/pets?${search}`);
        if (violations.length > 0) {
          expect(outcome(response)).toEqual(badRequest(violations.join('; ')));
          return;
        }
        expect(response.status).toBe(200);
        const pets = response.json as Pet[];
        expect(pets.length).toBeLessThanOrEqual(expected.limit);
        expect(pets.every((pet) => expected.status === undefined || pet.status === expected.status)).toBe(true);
      });
    },
    TIME,
  );

  it(
    'of a list get 200 or 400 for arbitrary bytes',
    async () => {
      const garbage = fc.string({
        unit: fc.constantFrom(...Array.from('limtsaucrod0159%&=+;?/[]{}|^`"<>\\~-_.!*()\'@:,$#')),
        maxLength: 40,
      });
      await requests.check(50, garbage, async (search) => {
        expect([200, 400]).toContain((await requests.send('GET', `/v1/pets?${search}`)).status);
      });
    },
    TIME,
  );

  /** The expected response for a path segment. */
  function expectedPet(segment: string, pets: ReadonlyMap<string, Pet>): Outcome {
    try {
      const petId = decodeURIComponent(segment);
      const pet = pets.get(petId);
      return pet ? { status: 200, body: pet } : petNotFound(petId);
    } catch {
      return petNotFound(segment);
    }
  }

  it(
    'in a path identify a pet or get 404',
    async () => {
      const pets = new Map(
        (await walk(requests.service.api, '/v1/pets?limit=100')).map((pet) => [String(pet.id), pet]),
      );
      const id = fc.constantFrom(...[...pets.keys()].slice(0, 50));
      const segment = fc.oneof(
        id,
        id.map((text) => encoded(text, true)),
        fc
          .tuple(id, fc.constantFrom('0', '+', '-', '%20', '%00', '.0', 'e0', 'n'))
          .map(([text, odd]) => (odd === '0' ? odd + text : text + odd)),
        fc.bigInt().map(String),
        fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
        fc.string({ unit: 'binary', minLength: 1 }).map(encodeURIComponent),
        fc.string({
          unit: fc.constantFrom(...Array.from("0123456789-+.eE%abcdefx~!$&'()*,;=:@")),
          minLength: 1,
          maxLength: 12,
        }),
      );
      await requests.check(60, segment, async (text) => {
        expect(outcome(await requests.send('GET', `/v1/pets/${text}`))).toEqual(expectedPet(text, pets));
      });
    },
    TIME,
  );
});
