import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import {
  BeforeInsert,
  Column,
  type ColumnOptions,
  CreateDateColumn,
  DataSource,
  Entity,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  VersionColumn,
} from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source-options.js';
import { openTable } from '../../src/platform/database/open-table.js';
import { describeTable } from '../../src/platform/database/tables/columns/table-columns.js';
import { oneOf, range } from '../../src/platform/database/tables/conditions.js';
import { StartError } from '../../src/platform/process/start-error.js';
import { INT64 } from '../../src/platform/values/int64.column.js';
import { ENGINE } from '../support/databases/databases.js';
import { openStock, reopen, SampleEntity, type Stock } from './support/stock.js';
import { InexactNumber } from '../../src/platform/values/json-reader.js';
import { patientConfig } from '../support/databases/time-limits.js';

let stock: Stock;

beforeAll(async () => {
  stock = await openStock();
});

afterAll(() => stock.close());

const HALF = 'half of a surrogate pair';

const VALUES: [keyof SampleEntity, unknown][] = [
  ['text', ''],
  ['text', 'Zoë "🐈" \\ {a,NULL}'],
  ['short', '🐈🐈🐈🐈🐈'],
  ['integer', -2_147_483_648],
  ['integer', 2_147_483_647],
  ['big', 9_223_372_036_854_775_807n],
  ['flag', true],
  ['flag', false],
  ['amount', '12345678.90'],
  ['amount', '-0.01'],
  ['amount', '7.00'],
  ['ratio', '0.123'],
  ['ratio', '-0.001'],
  ['double', 0.1],
  ['double', -1.797_693_134_862_315_7e308],
  ['double', 3],
  ['double', 2 ** 60],
  ['time', new Date('2026-11-22T15:00:00.007Z')],
  ['time', new Date('0001-01-01T00:00:00.000Z')],
  ['time', new Date('9999-12-31T23:59:59.999Z')],
  ['json', { a: [1, 'two', null, { b: false }], 'ä"': 1.5 }],
  ['json', { huge: 1e300, odd: 2 ** 53 + 2, at: new Date(0).toJSON() }],
  ['json', []],
  ['json', 'text'],
  ['json', { id: 9_223_372_036_854_775_807n, ids: [-(2n ** 63n), { of: 2n ** 53n }], far: 10n ** 30n }],
  ['json', 2n ** 64n],
  ['json', [0.1, -1e20, 1e23, Number.MAX_VALUE, 5e-324, 123_456_789_012_345.6, 2 ** 53, -0.5]],
  ['json', { 'a1234567890123456789"\\': '12345678901234567890, "1e400"', b: 2n ** 60n, __proto: [] }],
  ['json', { a: [new InexactNumber('1e400'), new InexactNumber('1'.repeat(101))] }],
  ['json', { a: new InexactNumber('1e-400'), b: new InexactNumber('12e-325') }],
  ['code', 'ABC'],
];

/** An empty text is stored as null. */
@Entity('hints')
class HintEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({
    type: 'text',
    nullable: true,
    transformer: { from: (cell: string | null) => cell ?? '', to: (text: string) => text || null },
  })
  text: string;
}

@Entity('drafts')
class DraftEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'json' })
  content: unknown;
}

describe.each(['insert', 'update', 'transaction'])('a value that an %s stores', (way) => {
  it.each(VALUES)('in the column %s is read as it was: %p', async (column, value) => {
    const row = { [column]: value };
    let id: bigint;
    if (way === 'insert') id = await stock.samples.insert(row);
    else if (way === 'update') {
      id = await stock.samples.insert({});
      await stock.samples.update(id, row);
    } else id = await stock.database.transaction((transaction) => transaction.table(SampleEntity).insert(row));
    expect(await stock.samples.find(id)).toStrictEqual({ id, ...row });
    if (column === 'json') return;
    const [found] = await stock.samples.page({ where: { [column]: value, id }, limit: 1 });
    expect(found).toStrictEqual({ id, ...row });
    expect(await stock.samples.page({ where: { [column]: oneOf([value]), id }, limit: 1 })).toStrictEqual([found]);
  });
});

describe('a value', () => {
  it('that is an int64 inside of JSON keeps its digits where a program adds toJSON to bigints', async () => {
    const json = { id: 9_007_199_254_740_993n };
    Object.assign(BigInt.prototype, { toJSON: () => 'text' });
    try {
      const id = await stock.samples.insert({ json });
      expect(await stock.samples.find(id)).toStrictEqual({ id, json });
    } finally {
      Reflect.deleteProperty(BigInt.prototype, 'toJSON');
    }
  });

  it.each<[keyof SampleEntity, unknown, string]>([
    [
      'short',
      'longer',
      'must have at most 5 characters; give its member a maxLength in openapi.yaml, or the column a greater length in the entity and a migration',
    ],
    ['integer', 2_147_483_648, 'must be a 32-bit integer'],
    ['integer', -2_147_483_649, 'must be a 32-bit integer'],
    ['integer', 1.5, 'must be a 32-bit integer'],
    ['amount', '1.001', 'must be a decimal of at most 10 digits, 2 of them after the point, as text'],
    ['amount', '123456789.00', 'must be a decimal of at most 10 digits, 2 of them after the point, as text'],
    ['amount', '1e3', 'must be a decimal of at most 10 digits, 2 of them after the point, as text'],
    ['amount', 12.5, 'must be a decimal of at most 10 digits, 2 of them after the point, as text'],
    ['ratio', '5.123', 'must be a decimal of at most 3 digits, 3 of them after the point, as text'],
    ['ratio', '1.000', 'must be a decimal of at most 3 digits, 3 of them after the point, as text'],
    ['big', 'abc', 'must be a 64-bit integer, as a bigint'],
    ['big', '12', 'must be a 64-bit integer, as a bigint'],
    ['big', 1.5, 'must be a 64-bit integer, as a bigint'],
    ['big', 2n ** 63n, 'must be a 64-bit integer, as a bigint'],
    ['big', -(2n ** 63n) - 1n, 'must be a 64-bit integer, as a bigint'],
    ['flag', 'false', 'must be true or false'],
    ['flag', 2, 'must be true or false'],
    ['double', NaN, 'must be a finite number'],
    ['double', Infinity, 'must be a finite number'],
    ['time', new Date(NaN), 'must be a valid Date between the years 1 and 9999'],
    ['time', new Date('+010000-01-01T00:00:00Z'), 'must be a valid Date between the years 1 and 9999'],
    ['time', new Date('0000-12-31T23:59:59.999Z'), 'must be a valid Date between the years 1 and 9999'],
    ['json', { a: NaN }, 'must be JSON, which has no NaN; store null'],
    ['json', [-Infinity], 'must be JSON, which has no -Infinity; store null'],
    ['json', new Map([['a', 1]]), 'must be JSON, which has no Map; store an object or an array'],
    ['json', { a: new Set([1]) }, 'must be JSON, which has no Set; store an object or an array'],
    ['json', { a: new Date(NaN) }, 'must be JSON, which has no invalid Date; store a valid one'],
    ['json', [new Date(NaN)], 'must be JSON, which has no invalid Date; store a valid one'],
    ['json', new Date(NaN), 'must be JSON, which has no invalid Date; store a valid one'],
    ['json', { a: Promise.resolve(1) }, 'must be JSON, which has no promise; await it first'],
    ['json', Promise.resolve({ a: 1 }), 'must be JSON, which has no promise; await it first'],
    [
      'json',
      { a: [undefined] },
      'must be JSON, which has no undefined in an array; store null, or an array without it',
    ],
    // A hole.
    ['json', { a: Array(1) }, 'must be JSON, which has no undefined in an array; store null, or an array without it'],
    [
      'json',
      { a: [{ toJSON: () => undefined }] },
      'must be JSON, which has no undefined in an array; store null, or an array without it',
    ],
    ['json', { toJSON: () => undefined }, 'must be JSON, which has no undefined; store null'],
    ['json', { a: new WeakMap() }, 'must be JSON, which has no WeakMap; store an object or an array'],
    ['json', { a: new ArrayBuffer(1) }, 'must be JSON, which has no ArrayBuffer; store an object or an array'],
    ['json', { a: new Error('lost') }, 'must be JSON, which has no Error; store an object or an array'],
    ['json', { a: /lost/ }, 'must be JSON, which has no RegExp; store an object or an array'],
    ['json', { a: () => 1 }, 'must be JSON, which has no function; store an object or an array'],
    ['json', [Symbol('lost')], 'must be JSON, which has no symbol; store an object or an array'],
    ['json', { a: [][Symbol.iterator]() }, 'must be JSON, which has no Array Iterator; store an object or an array'],
    ['json', { a: Object(NaN) }, 'must be JSON, which has no NaN; store null'],
    ['json', { toJSON: () => ({ a: new Map() }) }, 'must be JSON, which has no Map; store an object or an array'],
  ])('that %s cannot hold exactly is refused: %p', async (column, value, demand) => {
    const error = new RangeError(`SampleEntity.${column} ${demand}`);
    await expect(stock.samples.insert({ [column]: value })).rejects.toEqual(error);
  });

  it.each<[object, unknown]>([
    [{ at: new Date(0), none: undefined }, { at: '1970-01-01T00:00:00.000Z' }],
    [new URL('https://shop.test/a'), 'https://shop.test/a'],
    [{ a: { toJSON: () => ({ b: [null] }) } }, { a: { b: [null] } }],
    [{ a: { toJSON: () => null } }, { a: null }],
    [{ a: { toJSON: () => undefined } }, {}],
    [
      Object.assign(Object.create(null) as object, { a: new InexactNumber('1e400') }),
      { a: new InexactNumber('1e400') },
    ],
    [
      new (class Money {
        amount = 1;
        currency?: string;
      })(),
      { amount: 1 },
    ],
    [{ a: 1, '': undefined }, { a: 1 }],
    [
      [Object(1), Object('a'), Object(false)],
      [1, 'a', false],
    ],
    [Buffer.from('a'), { type: 'Buffer', data: [97] }],
    [{ error: Object.assign(new Error('hidden'), { code: 7 }) }, { error: { code: 7 } }],
  ])('that JSON can hold is stored as JSON.stringify writes it: %p', async (json, read) => {
    const id = await stock.samples.insert({ json });
    expect(await stock.samples.find(id)).toStrictEqual({ id, json: read });
    await stock.samples.update(id, { json });
    expect(await stock.samples.find(id)).toStrictEqual({ id, json: read });
  });

  it.each<[string, object, Error]>([
    ['with a NUL', { text: 'a\0b' }, new RangeError('SampleEntity.text must not contain a NUL character')],
    ['with a NUL', { short: '\0' }, new RangeError('SampleEntity.short must not contain a NUL character')],
    ['with a NUL', { code: 'A\0' }, new RangeError('SampleEntity.code must not contain a NUL character')],
    ['of half a pair', { text: '\ud83d' }, new RangeError(`SampleEntity.text must not contain ${HALF}`)],
    ['of half a pair', { short: 'a\udc08' }, new RangeError(`SampleEntity.short must not contain ${HALF}`)],
    ['that is a number', { text: 5 }, new RangeError('SampleEntity.text must be text')],
    ['of no column', { text: 'a', colour: 'red' }, new Error('"samples" has no column for the property "colour"')],
  ])('%s is refused by every way to store it: %j', async (_, row, error) => {
    const id = await stock.samples.insert({ text: 'stored' });
    const others = Promise.all([stock.samples.insert({ text: 'before' }), stock.samples.insert({ text: 'after' })]);
    await expect(stock.samples.insert(row)).rejects.toEqual(error);
    await others;
    await expect(stock.samples.update(id, row)).rejects.toEqual(error);
    await expect(stock.samples.page({ where: row, limit: 1 })).rejects.toEqual(error);
    const work = stock.database.transaction((transaction) => transaction.table(SampleEntity).insert(row));
    await expect(work).rejects.toEqual(error);
    expect(await stock.samples.find(id)).toStrictEqual({ id, text: 'stored' });
  });

  it('for the id of a new row is refused: the table gives it one', async () => {
    const row = { id: 7n, text: 'mine' };
    await expect(stock.samples.insert(row)).rejects.toEqual(
      new Error('"samples" gives a new row its id; insert the row without it'),
    );
    const id = await stock.samples.insert({ id: undefined, colour: undefined } as object);
    expect(await stock.samples.find(id)).toStrictEqual({ id });
  });

  it('that is null is stored, and missing in the row that is read', async () => {
    const empty = { integer: null, text: null, flag: null, time: null, json: null };
    const id = await stock.samples.insert(empty);
    const other = await stock.database.transaction((transaction) => transaction.table(SampleEntity).insert(empty));
    expect(await stock.samples.find(id)).toStrictEqual({ id });
    expect(await stock.samples.find(other)).toStrictEqual({ id: other });
  });

  it('that a transformer stores for null is found by null', async () => {
    const id = await stock.samples.insert({ short: 'none' });
    await stock.samples.insert({ short: 'none', code: 'ABC' });
    const where = { short: 'none', code: null };
    expect(await stock.samples.page({ where, limit: 9 })).toStrictEqual([{ id, short: 'none' }]);
    expect(await stock.samples.update(id, { integer: 1 }, where)).toBe(true);
    expect(await stock.samples.delete(id, { code: 'ABC' })).toBe(false);
    expect(await stock.samples.delete(id, where)).toBe(true);
  });

  it('that a transformer stores as null is found by that value, but not in a list', async () => {
    await stock.dataSource.query('CREATE TABLE "hints" ("id" bigint NOT NULL PRIMARY KEY, "text" text)');
    const dataSource = await reopen(stock, [HintEntity]);
    try {
      const hints = openTable<HintEntity>(dataSource, HintEntity);
      await hints.insert({ text: '' });
      await hints.insert({ text: 'left' });
      expect(await hints.page({ where: { text: '' }, limit: 9 })).toStrictEqual([{ id: 1n, text: '' }]);
      expect(await hints.page({ where: { text: 'left' }, limit: 9 })).toStrictEqual([{ id: 2n, text: 'left' }]);
      await expect(hints.page({ where: { text: oneOf(['left', '']) }, limit: 9 })).rejects.toThrow(
        '"hints"."text" stores a value of this list as null, which no list finds; make null a condition of its own',
      );
    } finally {
      await dataSource.destroy();
      await stock.dataSource.query('DROP TABLE "hints"');
    }
  });

  it.each<[string, unknown]>([
    ['9007199254740993', 9_007_199_254_740_993n],
    ['{"a":[-9223372036854775808,9007199254740991]}', { a: [-(2n ** 63n), 9_007_199_254_740_991] }],
    ['[9007199254740993e0, 100000000000000000001.0]', [9_007_199_254_740_993n, 100_000_000_000_000_000_001n]],
    [
      '[1E300, 1e+20, 12.5e-1, 1.10, 0.1234567890123456789]',
      [1e300, 1e20, 1.25, 1.1, new InexactNumber('0.1234567890123456789')],
    ],
    ['{"a":1,"a":"9007199254740993 1e999"}', { a: '9007199254740993 1e999' }],
  ])('of JSON that SQL has stored is read with the digits of its numbers: %s', async (text, value) => {
    const id = await stock.samples.insert({});
    await stock.dataSource.query(`UPDATE "samples" SET "json" = '${text}' WHERE "id" = ${id}`);
    expect(await stock.samples.find(id)).toStrictEqual({ id, json: value });
  });

  it('of a json column is read as it was, or refused where SQLite would round it', async () => {
    await stock.dataSource.query('CREATE TABLE "drafts" ("id" bigint NOT NULL PRIMARY KEY, "content" json NOT NULL)');
    const dataSource = await reopen(stock, [DraftEntity]);
    try {
      const drafts = openTable<DraftEntity>(dataSource, DraftEntity);
      for (const content of [{ id: 2n ** 62n, double: 1e20 }, [], '5', 5, -0.25, 2n ** 62n, false]) {
        const id = await drafts.insert({ content });
        expect(await drafts.find(id)).toStrictEqual({ id, content });
      }
      for (const content of [2n ** 63n, 1e23, new InexactNumber('1e400')]) {
        await expect(drafts.insert({ content })).rejects.toThrow(
          /must not be a number that SQLite would round; store it in an object$/,
        );
      }
    } finally {
      await dataSource.destroy();
      await stock.dataSource.query('DROP TABLE "drafts"');
    }
  });

  it('is ordered and limited alike on both engines', async () => {
    const ids: bigint[] = [];
    for (const [amount, time] of [
      ['9.00', '2026-01-01T00:00:00Z'],
      ['10.00', '1999-01-01T00:00:00Z'],
      ['-1.50', '2026-01-01T00:00:00.001Z'],
    ] as const) {
      ids.push(await stock.samples.insert({ short: 'order', amount, time: new Date(time) }));
    }
    const found = async (where: object) =>
      (await stock.samples.page({ where: { short: 'order', ...where }, limit: 9 })).map(({ id }) => ids.indexOf(id));
    expect(await found({ amount: range({ from: '9.00' }) })).toEqual([0, 1]);
    expect(await found({ time: range({ above: new Date('2026-01-01T00:00:00Z') }) })).toEqual([2]);
  });
});

/** Any finite double: of every magnitude, and with all digits. */
function randomDouble(): number {
  const bits = randomBytes(8);
  const double = bits.readDoubleBE();
  return Number.isFinite(double) ? double : randomDouble();
}

describe('a list of doubles', () => {
  it('finds exactly those', async () => {
    const doubles = Array.from({ length: 300 }, randomDouble);
    await Promise.all(doubles.map((double) => stock.samples.insert({ short: 'list', double })));
    const found = await stock.samples.page({ where: { short: 'list', double: oneOf(doubles) }, limit: 300 });
    expect(new Set(found.map(({ double }) => double))).toEqual(new Set(doubles));
  });
});

@Entity()
class Generated {
  @PrimaryGeneratedColumn()
  id: bigint;
}

@Entity()
class Defaulted {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text', default: 'x' })
  name: string;
}

@Entity()
class Dated {
  @PrimaryColumn(INT64)
  id: bigint;

  @CreateDateColumn()
  at: Date;
}

@Entity()
class Versioned {
  @PrimaryColumn(INT64)
  id: bigint;

  @VersionColumn()
  version: number;
}

@Entity()
class Hidden {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text', select: false })
  secret: string;
}

@Entity()
class Related {
  @PrimaryColumn(INT64)
  id: bigint;

  @ManyToOne(() => Defaulted)
  other: Defaulted;
}

@Entity()
class Listening {
  @PrimaryColumn(INT64)
  id: bigint;

  @BeforeInsert()
  prepare(): void {}
}

@Entity()
class Imprecise {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'numeric', precision: 30, scale: 2 })
  amount: string;
}

@Entity()
class Small {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'numeric', precision: 2, scale: 3 })
  amount: string;
}

@Entity()
class Textual {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'bigint' })
  total: string;
}

@Entity()
class Rounded {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column(INT64)
  total: number;
}

@Entity()
class Single {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'real' })
  ratio: number;
}

describe('an entity', () => {
  it.each<[new () => object, string]>([
    [Generated, 'Tables ignore a generated value of Generated.id; set the value in the service.'],
    [Defaulted, 'Tables ignore a default of Defaulted.name; set the value in the service.'],
    [Dated, 'Tables ignore a date that TypeORM sets of Dated.at; set the value in the service.'],
    [Versioned, 'Tables ignore a version of Versioned.version; set the value in the service.'],
    [Hidden, 'Tables ignore select, insert or update of Hidden.secret; set the value in the service.'],
    [Related, 'Tables do not load relations; replace Related.other by a column with the id, and @ForeignKey.'],
    [Listening, 'Tables call no listeners; move Listening.prepare into the service.'],
    [Imprecise, 'SQLite cannot store Imprecise.amount exactly; give it a precision of at most 15 and a scale.'],
    [Small, 'SQLite cannot store Small.amount exactly; give it a scale of at most its precision.'],
    [
      Textual,
      'Textual.total holds 64 bits, which are a bigint in the code; declare its type "bigint", and @Column(INT64).',
    ],
    [
      Rounded,
      'Rounded.total holds 64 bits, which are a bigint in the code; declare its type "bigint", and @Column(INT64).',
    ],
    [Single, 'The type "real" of Single.ratio differs between SQLite and PostgreSQL; use text, varchar, INT64,'],
  ])('%p stops the start with one sentence', async (entity, sentence) => {
    const start = await descriptionOf(entity);
    expect(start).toThrow(StartError);
    expect(start).toThrow(sentence);
  });
});

/** Describes the table of an entity, as a start does. */
async function descriptionOf(entity: new () => object): Promise<() => unknown> {
  const options = await dataSourceOptions(
    patientConfig(ENGINE === 'postgres' ? process.env.TEST_POSTGRES_URL! : 'sqlite::memory:'),
  );
  const dataSource = new DataSource({ ...options, entities: [entity, Defaulted] });
  await (dataSource as unknown as { buildMetadatas(): Promise<void> }).buildMetadatas();
  return () => describeTable(dataSource, entity);
}

/** An entity with a member of this type, as a compiler emits it. */
function withMember(options: ColumnOptions, type: object): new () => object {
  @Entity()
  class Typed {
    @PrimaryColumn(INT64)
    id: bigint;

    member: unknown;
  }
  Reflect.defineMetadata('design:type', type, Typed.prototype, 'member');
  Column(options)(Typed.prototype, 'member');
  return Typed;
}

const NUMERIC = { type: 'numeric', precision: 10, scale: 2 } as const;
const TIME = { type: Date, precision: 3 };

enum Colour {
  red = 'red',
}

@Entity()
class Varied {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text', nullable: true })
  note: string | null;

  @Column({ type: 'varchar' })
  colour: Colour;

  @Column({ type: 'varchar' })
  size: 'small' | 'large';

  @Column({ type: 'integer', nullable: true })
  count?: number;

  @Column({ type: 'simple-json' })
  tags: string[];

  @Column({ ...NUMERIC, transformer: { from: Number, to: String } })
  price: number;
}

describe('a property whose type is not that of its column', () => {
  it.each<[string, ColumnOptions, Function, RegExp]>([
    [
      'a number for numeric',
      NUMERIC,
      Number,
      /"string" in the code, because its column has the type "(numeric|decimal)"/,
    ],
    ['text for a time', TIME, String, /"Date" in the code, because its column has the type "(datetime|timestamp .*)"/],
    [
      'text for a boolean',
      { type: 'boolean' },
      String,
      /"boolean" in the code, because its column has the type "boolean"/,
    ],
    ['a number for text', { type: 'text' }, Number, /"string" in the code, because its column has the type "text"/],
    [
      'a list for varchar',
      { type: 'varchar' },
      Array,
      /"string" in the code, because its column has the type "[a-z ]+"/,
    ],
    [
      'a bigint for integer',
      { type: 'integer' },
      BigInt,
      /"number" in the code, because its column has the type "integer"/,
    ],
    ['text for double precision', { type: 'double precision' }, String, /"number" in the code, because its column/],
    ['a Date for bigint', INT64, Date, /Typed.member holds 64 bits, which are a bigint in the code/],
  ])('stops the start: %s', async (_, options, type, sentence) => {
    const start = await descriptionOf(withMember(options, type));
    expect(start).toThrow(StartError);
    expect(start).toThrow(sentence);
  });

  it('does not stop the start where its type has the values, or a transformer converts them', async () => {
    expect(await descriptionOf(Varied)).not.toThrow();
    // SWC emits the object of an enumeration instead of the class of its values.
    expect(await descriptionOf(withMember({ type: 'text' }, Colour))).not.toThrow();
  });
});
