import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import {
  Check,
  Column,
  type ColumnOptions,
  DefaultNamingStrategy,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  Unique,
} from 'typeorm';
import { AppendOnly } from '../../src/platform/database/tables/columns/append-only.decorator.js';
import { StartError } from '../../src/platform/process/start-error.js';
import { INT64 } from '../../src/platform/values/int64.column.js';
import { ENGINE } from '../support/databases/databases.js';
import { openStock, reopen, ShelfEntity, type Stock } from './support/stock.js';

let stock: Stock;

beforeAll(async () => {
  stock = await openStock();
});

afterAll(() => stock.close());

/** Opens the database with a table of this text and an entity over it. */
async function start(columns: string, entity: Type<object>, index = ''): Promise<void> {
  const { dataSource } = stock;
  await dataSource.query(`CREATE TABLE "things" (${columns})`);
  if (index) await dataSource.query(index);
  try {
    const opened = await reopen(stock, [entity]);
    await opened.destroy();
  } finally {
    await dataSource.query('DROP TABLE "things"');
  }
}

const ID = '"id" bigint NOT NULL PRIMARY KEY';

function entityOf(
  decorator?: ClassDecorator,
  member?: PropertyDecorator,
  options: ColumnOptions = INT64,
): Type<object> {
  @Entity('things')
  class ThingEntity {
    @PrimaryColumn(INT64)
    id: bigint;

    @Column(options)
    shelfId: bigint;
  }
  decorator?.(ThingEntity);
  member?.(ThingEntity.prototype, 'shelfId');
  return ThingEntity;
}

@Entity('things')
class LabelEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text' })
  label: string;
}

const PLAIN = entityOf();
const SHELF = '"shelfId" bigint NOT NULL';
const toShelf = (options = {}): Type<object> =>
  entityOf(
    undefined,
    ForeignKey(() => ShelfEntity, options),
  );
const CASCADE = 'REFERENCES "shelves" ("id") ON DELETE CASCADE';

/** TypeORM makes names of expressions; a generated migration has them. */
const NAMES = new DefaultNamingStrategy();
const POSITIVE = '"shelfId" > 0';
const HIGH = '"id" > 9';
const HIGH_INDEX = NAMES.indexName('things', ['shelfId'], HIGH);

const REFUSED: [string, string, Type<object>, string, index?: string][] = [
  [
    'whose unique values may repeat',
    `${ID}, ${SHELF}`,
    entityOf(Unique(['shelfId'])),
    'ThingEntity has a unique index of shelfId, which the table "things" lacks',
  ],
  [
    'whose unique index is an index of all values',
    `${ID}, ${SHELF}`,
    entityOf(Index(['shelfId'], { unique: true })),
    'ThingEntity has a unique index of shelfId, which the table "things" lacks',
    'CREATE INDEX "thing_shelves" ON "things" ("shelfId")',
  ],
  [
    'whose unique index is one of some rows',
    `${ID}, ${SHELF}`,
    entityOf(Index(['shelfId'], { unique: true })),
    'ThingEntity has a unique index of shelfId, which the table "things" lacks',
    'CREATE UNIQUE INDEX "thing_shelves" ON "things" ("shelfId") WHERE "id" > 9',
  ],
  [
    'without a foreign key',
    `${ID}, ${SHELF}`,
    toShelf(),
    'ThingEntity has a foreign key of shelfId to shelves.id (on delete no action, on update no action), which the table',
  ],
  [
    'whose foreign key does something else',
    `${ID}, ${SHELF} ${CASCADE}`,
    toShelf({ onDelete: 'RESTRICT' }),
    'ThingEntity has a foreign key of shelfId to shelves.id (on delete restrict, on update no action), which the table',
  ],
  [
    'that never changes, but whose rows go with others',
    `${ID}, ${SHELF} ${CASCADE}`,
    entityOf(AppendOnly()),
    'The table "things" has a foreign key of shelfId to shelves.id (on delete cascade, on update no action), which Thing',
  ],
  [
    'without a check',
    `${ID}, ${SHELF}`,
    entityOf(Check(POSITIVE)),
    `ThingEntity has the check ${NAMES.checkConstraintName('things', POSITIVE)}, which the table "things" lacks`,
  ],
  [
    'whose check was changed',
    `${ID}, ${SHELF}, CONSTRAINT "${NAMES.checkConstraintName('things', '"shelfId" > 1')}" CHECK ("shelfId" > 1)`,
    entityOf(Check(POSITIVE)),
    `ThingEntity has the check ${NAMES.checkConstraintName('things', POSITIVE)}, which the table "things" lacks`,
  ],
  [
    'with a check in a comment',
    `${ID}, ${SHELF} /* CONSTRAINT "${NAMES.checkConstraintName('things', POSITIVE)}" CHECK (${POSITIVE}) */`,
    entityOf(Check(POSITIVE)),
    `ThingEntity has the check ${NAMES.checkConstraintName('things', POSITIVE)}, which the table "things" lacks`,
  ],
  [
    'whose unique index had another condition',
    `${ID}, ${SHELF}`,
    entityOf(Index(['shelfId'], { unique: true, where: HIGH })),
    `ThingEntity has a unique index of shelfId where the condition of ${HIGH_INDEX} holds, which the table "things" lacks`,
    `CREATE UNIQUE INDEX "${NAMES.indexName('things', ['shelfId'], '"id" > 8')}" ON "things" ("shelfId") WHERE "id" > 8`,
  ],
  [
    'that generates the values of a column',
    `${ID}, "shelfId" bigint NOT NULL GENERATED ALWAYS AS (1 + 1) STORED`,
    PLAIN,
    'The database generates ThingEntity.shelfId and refuses other values; remove that by a migration that src/data-so',
  ],
  ...(ENGINE === 'postgres'
    ? ([
        [
          'that gives rows their ids itself',
          `"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, ${SHELF}`,
          PLAIN,
          'The database generates ThingEntity.id and refuses other values; remove that by a migration that src/data-sou',
        ],
      ] satisfies [string, string, Type<object>, string][])
    : []),
  ['without a primary key', `"id" bigint NOT NULL, ${SHELF}`, PLAIN, 'ThingEntity has the primary key id, which the'],
  [
    'with another primary key',
    `"id" bigint NOT NULL, ${SHELF}, PRIMARY KEY ("id", "shelfId")`,
    PLAIN,
    'ThingEntity has the primary key id, which the table "things" lacks',
  ],
  [
    'with a required column that the entity lacks',
    `${ID}, ${SHELF}, "weight" integer NOT NULL`,
    PLAIN,
    'The table "things" requires a value for its column "weight", which ThingEntity lacks; declare it there, or let it',
  ],
  [
    'with numbers that are rounded',
    `${ID}, "shelfId" ${ENGINE === 'postgres' ? 'double precision' : 'real'} NOT NULL`,
    PLAIN,
    'ThingEntity.shelfId is bigint not null, but',
  ],
  [
    'with numbers that are text',
    `${ID}, "shelfId" text NOT NULL`,
    PLAIN,
    'ThingEntity.shelfId is bigint not null, but text not null in the database; change one of them: the column by a mi',
  ],
  [
    'with a text that becomes a number',
    `${ID}, "label" integer NOT NULL`,
    LabelEntity,
    'LabelEntity.label is text not null, but integer not null in the database',
  ],
  [
    'with a value that may be missing',
    `${ID}, "shelfId" bigint`,
    PLAIN,
    'ThingEntity.shelfId is bigint not null, but bigint in the database',
  ],
  [
    'with a value that may not be missing',
    `${ID}, ${SHELF}`,
    entityOf(undefined, undefined, { ...INT64, nullable: true }),
    'ThingEntity.shelfId is bigint, but bigint not null in the database',
  ],
];

/** Clauses that only SQLite has. */
if (ENGINE === 'sqlite') {
  const loses = (what: string) => `The table "things" of ThingEntity has ${what}, which loses a row without an error`;
  REFUSED.push(
    [
      'that drops a row instead of reporting a conflict',
      `${ID}, ${SHELF} UNIQUE ON CONFLICT IGNORE`,
      entityOf(Unique(['shelfId'])),
      loses('UNIQUE ON CONFLICT IGNORE'),
    ],
    [
      'that replaces a row instead of reporting a conflict',
      `${ID}, ${SHELF}, constraint "c" unique ("shelfId", "id") -- the newest\n on /* only */ conflict replace`,
      PLAIN,
      loses('UNIQUE ON CONFLICT REPLACE'),
    ],
    [
      'that replaces a row with the same id',
      `"id" bigint NOT NULL PRIMARY KEY DESC ON CONFLICT REPLACE, ${SHELF}`,
      PLAIN,
      loses('PRIMARY KEY ON CONFLICT REPLACE'),
    ],
  );
}

const ACCEPTED: [string, string, Type<object>, index?: string][] = [
  ['the columns of its entity', `${ID}, ${SHELF}`, PLAIN],
  ['a unique constraint', `${ID}, ${SHELF} UNIQUE`, entityOf(Unique(['shelfId']))],
  [
    'a unique index of some rows',
    `${ID}, ${SHELF}`,
    entityOf(Index(['shelfId'], { unique: true, where: HIGH })),
    `CREATE UNIQUE INDEX "${HIGH_INDEX}" ON "things" ("shelfId") WHERE ${HIGH}`,
  ],
  ['a foreign key', `${ID}, ${SHELF} ${CASCADE}`, toShelf({ onDelete: 'CASCADE' })],
  [
    'a check',
    `${ID}, ${SHELF}, CONSTRAINT "${NAMES.checkConstraintName('things', POSITIVE)}" CHECK (${POSITIVE})`,
    entityOf(Check(POSITIVE)),
  ],
  ['a foreign key that names no column', `${ID}, ${SHELF} REFERENCES "shelves"`, toShelf()],
  [
    'a generated column of its own',
    `${ID}, ${SHELF}, "twice" bigint NOT NULL GENERATED ALWAYS AS ("shelfId" * 2) STORED`,
    PLAIN,
  ],
  ['an optional column of its own', `${ID}, ${SHELF}, "weight" integer`, PLAIN],
  ['a required column of its own with a default', `${ID}, ${SHELF}, "weight" integer NOT NULL DEFAULT 1`, PLAIN],
  ['an index of its own', `${ID}, ${SHELF}`, PLAIN, 'CREATE UNIQUE INDEX "thing_shelves" ON "things" (abs("shelfId"))'],
];

if (ENGINE === 'sqlite') {
  const name = NAMES.checkConstraintName('things', POSITIVE);
  const checked = entityOf(Check(POSITIVE));
  ACCEPTED.push(
    ['a check in lower case', `${ID}, ${SHELF}, constraint "${name}" check (${POSITIVE})`, checked],
    ['a check with a name without quotes', `${ID}, ${SHELF} CONSTRAINT ${name} CHECK(shelfId > 0)`, checked],
    ['a check over several lines', `${ID}, ${SHELF}\n CONSTRAINT\n [${name}] -- it\n CHECK\n (${POSITIVE})`, checked],
    [
      'a clause that reports conflicts, and texts and names that are like one that does not',
      `${ID}, ${SHELF} UNIQUE ON CONFLICT FAIL, "UNIQUE ON CONFLICT IGNORE" text NOT NULL ON CONFLICT REPLACE
        DEFAULT 'UNIQUE ON CONFLICT IGNORE' CHECK ("shelfId" > 0)`,
      entityOf(Unique(['shelfId'])),
    ],
  );
}

describe('a start', () => {
  it.each(REFUSED)('is refused with a table %s', async (...[, columns, entity, message, index]) => {
    const started = start(columns, entity, index);
    await expect(started).rejects.toBeInstanceOf(StartError);
    await expect(started).rejects.toThrow(message);
  });

  it.each(ACCEPTED)('accepts a table with %s', async (...[, columns, entity, index]) => {
    await expect(start(columns, entity, index)).resolves.toBeUndefined();
  });

  it('is refused without a table, which it names before a foreign key that follows the renamed table', async () => {
    const { dataSource } = stock;
    @Entity('parts')
    class PartEntity {
      @PrimaryColumn(INT64)
      id: bigint;

      @ForeignKey(() => thing)
      @Column(INT64)
      thingId: bigint;
    }
    // TypeORM keeps the order in which classes are decorated.
    const thing = entityOf();
    await dataSource.query(`CREATE TABLE "things" (${ID}, ${SHELF})`);
    await dataSource.query(`CREATE TABLE "parts" (${ID}, "thingId" bigint NOT NULL REFERENCES "things" ("id"))`);
    await dataSource.query('ALTER TABLE "things" RENAME TO "hidden"');
    try {
      await expect(reopen(stock, [PartEntity, thing])).rejects.toThrow('lacks the table "things" of ThingEntity; name');
    } finally {
      await dataSource.query('DROP TABLE "parts"');
      await dataSource.query('DROP TABLE "hidden"');
    }
  });

  it('is refused with a text that equals other texts', async () => {
    const isPostgres = ENGINE === 'postgres';
    if (isPostgres) {
      await stock.dataSource.query(
        `CREATE COLLATION "careless" (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
      );
    }
    const collation = isPostgres ? '"careless"' : 'NOCASE';
    await expect(start(`${ID}, "label" text COLLATE ${collation} NOT NULL`, LabelEntity)).rejects.toThrow(
      'LabelEntity.label is text not null, but text with a collation not null in the database',
    );
  });
});
