import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import {
  BaseEntity,
  Check,
  Column,
  type ColumnOptions,
  DataSource,
  Entity,
  type EntityOptions,
  type EntitySubscriberInterface,
  EventSubscriber,
  Exclusion,
  ForeignKey,
  Index,
  type IndexOptions,
  PrimaryColumn,
  TableInheritance,
  Tree,
  Unique,
  ViewColumn,
  ViewEntity,
  VirtualColumn,
} from 'typeorm';
import * as application from '../../src/data-source.js';
import { PetEntity } from '../../src/pets/pet.entity.js';
import { dataSourceOptions } from '../../src/platform/database/data-source-options.js';
import type { DatabaseConfig } from '../../src/platform/database/database-config.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { openTable } from '../../src/platform/database/open-table.js';
import { refuseUnlisted } from '../../src/platform/database/tables/columns/declared-entities.js';
import { AppendOnly } from '../../src/platform/database/tables/columns/append-only.decorator.js';
import { SequenceEntity } from '../../src/platform/database/tables/sequence.entity.js';
import { StartError } from '../../src/platform/process/start-error.js';
import { INT64 } from '../../src/platform/values/int64.column.js';
import { createEmptyDatabase, ENGINE } from '../support/databases/databases.js';
import { patientConfig } from '../support/databases/time-limits.js';

interface Row {
  id: bigint;
}

@Entity('active_records')
class ActiveRecordEntity extends BaseEntity {
  @PrimaryColumn(INT64)
  id: bigint;
}

@Entity('shelves')
class ShelfEntity {
  @PrimaryColumn(INT64)
  id: bigint;
}

@AppendOnly()
@Entity('labels')
class LabelEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @ForeignKey(() => ShelfEntity, { onDelete: 'CASCADE' })
  @Column(INT64)
  shelfId: bigint;
}

function referring(action: object, nullable = false): Type<Row> {
  @Entity('things')
  class ThingEntity {
    @PrimaryColumn(INT64)
    id: bigint;

    @ForeignKey(() => ShelfEntity, action)
    @Column({ ...INT64, nullable })
    shelfId: bigint;
  }
  return ThingEntity;
}

const SETS_NULL =
  'The foreign key of ThingEntity.shelfId would set it to null, which it never is; make it nullable, or choose another action.';

const SETS_DEFAULT =
  'The foreign key of ThingEntity.shelfId would set it to its default, and entities have none; make it nullable, or choose another action.';

@Entity('counters')
class CounterEntity {
  @PrimaryColumn({ type: 'integer' })
  id: bigint;
}

@Entity('codes')
class CodeEntity {
  @PrimaryColumn({ type: 'varchar' })
  code: string;

  @Column(INT64)
  id: bigint;
}

@Entity('days')
class DayEntity {
  @PrimaryColumn({ type: Date, precision: 3 })
  day: Date;
}

@Entity('times')
class TransformedIdEntity {
  @PrimaryColumn({ ...INT64, transformer: { from: () => 0n, to: () => 1n } })
  id: bigint;
}

@Entity('things')
class NamedKeyEntity {
  @PrimaryColumn({ ...INT64, primaryKeyConstraintName: 'things_key' })
  id: bigint;
}

@Entity('named')
class NamedIdEntity {
  @PrimaryColumn({ ...INT64, name: 'named_id' })
  id: bigint;
}

@Unique(['code'], { deferrable: 'INITIALLY DEFERRED' })
@Entity('tickets')
class TicketEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column(INT64)
  code: bigint;
}

@Entity('places')
class PlaceEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @ForeignKey(() => ShelfEntity, { deferrable: 'INITIALLY IMMEDIATE' })
  @Column(INT64)
  shelfId: bigint;
}

function named(table: string, column: string): Type<Row> {
  @Entity(table)
  class ThingEntity {
    @PrimaryColumn(INT64)
    id: bigint;

    @Column({ ...INT64, name: column })
    member: bigint;
  }
  return ThingEntity;
}

@Entity('made')
class MadeEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  constructor(given: { id: bigint }) {
    this.id = given.id;
  }
}

@EventSubscriber()
class ShelfSubscriber implements EntitySubscriberInterface {}

@Exclusion('excluded', 'USING gist ("id" WITH =)')
@Entity('test_bookings')
class BookingEntity {
  @PrimaryColumn(INT64)
  id: bigint;
}

@Tree('materialized-path')
@Entity('branches')
class BranchEntity {
  @PrimaryColumn(INT64)
  id: bigint;
}

@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
@Entity('vehicles')
class VehicleEntity {
  @PrimaryColumn(INT64)
  id: bigint;
}

@ViewEntity('totals', { expression: 'SELECT 1 AS "id"' })
class TotalEntity {
  @ViewColumn()
  id: bigint;
}

@Entity('toys')
class ToyEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  get label(): string {
    return `Toy ${this.id}`;
  }
}

class Priced {
  isFree(): boolean {
    return true;
  }
}

@Entity('games')
class GameEntity extends Priced {
  @PrimaryColumn(INT64)
  id: bigint;
}

@Entity('notes')
class NoteEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  note?: string;
}

@Entity('states')
class StateEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text', nullable: true })
  state: string | null = 'new';
}

function indexed(options: IndexOptions, name?: string): Type<Row> {
  @(name === undefined ? Index(['id'], options) : Index(name, ['id'], options))
  @Entity('things')
  class ThingEntity {
    @PrimaryColumn(INT64)
    id: bigint;
  }
  return ThingEntity;
}

@Check('positive', '"id" > 0')
@Entity('ages')
class CheckedEntity {
  @PrimaryColumn(INT64)
  id: bigint;
}

@Entity('things')
class CountedEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @VirtualColumn({ query: (alias) => `SELECT COUNT(*) FROM "pets" WHERE "id" > ${alias}."id"` })
  count: number;
}

function entityOf(options: EntityOptions): Type<Row> {
  @Entity('things', options)
  class ThingEntity {
    @PrimaryColumn(INT64)
    id: bigint;
  }
  return ThingEntity;
}

function entityWith(options: ColumnOptions): Type<Row> {
  @Entity('things')
  class ThingEntity {
    @PrimaryColumn(INT64)
    id: bigint;

    @Column(options)
    member: unknown;
  }
  return ThingEntity;
}

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;

beforeAll(async () => {
  database = await createEmptyDatabase();
});

afterAll(() => database.drop());

describe('the table of an entity', () => {
  it.each<[string, Type<Row>, string]>([
    ['with repositories of its own', ActiveRecordEntity, 'extends BaseEntity'],
    ['whose rows never change, but are deleted with others', LabelEntity, 'the foreign key of "shelfId" would'],
    ['whose foreign key would empty a required column', referring({ onDelete: 'SET NULL' }), SETS_NULL],
    ['whose foreign key would empty a required column later', referring({ onUpdate: 'SET NULL' }), SETS_NULL],
    ['whose foreign key would reset a required column', referring({ onDelete: 'SET DEFAULT' }), SETS_DEFAULT],
    ['whose foreign key would reset a required column later', referring({ onUpdate: 'SET DEFAULT' }), SETS_DEFAULT],
    ['whose id is shorter', CounterEntity, 'CounterEntity.id must be its only primary column'],
    ['whose id is not its key', CodeEntity, 'CodeEntity.id must be its only primary column'],
    [
      'with a list in a text',
      entityWith({ type: 'simple-array' }),
      'an array of ThingEntity.member; store the list as simple-json.',
    ],
    [
      'with an enum',
      entityWith({ type: 'varchar', enum: ['a', 'b'] }),
      'an enum of ThingEntity.member; give the column the type varchar',
    ],
    ['with a collation', entityWith({ type: 'text', collation: 'C' }), 'a collation of ThingEntity.member; remove it.'],
    ['with a virtual column', CountedEntity, 'Tables ignore a virtual value of CountedEntity.count; set'],
    ['with a charset', entityWith({ type: 'text', charset: 'utf8mb4' }), '"charset" of ThingEntity.member'],
    [
      'with a comment on a column',
      entityWith({ type: 'text', comment: 'x' }),
      '"comment" of ThingEntity.member; write it',
    ],
    [
      'with a comment',
      entityOf({ comment: 'x' }),
      'Tables do not support a comment of ThingEntity; write it as a comment',
    ],
    ['with a name of its key', NamedKeyEntity, '"primaryKeyConstraintName" of NamedKeyEntity.id; remove it.'],
    ['with a date in UTC', entityWith({ type: 'date', utc: true }), '"utc" of ThingEntity.member'],
    ['with unsigned numbers', entityWith({ type: 'integer', unsigned: true }), '"unsigned" of ThingEntity.member'],
    ['with an update by the database', entityWith({ type: 'text', onUpdate: 'x' }), '"onUpdate" of ThingEntity.member'],
    ['whose id is converted', TransformedIdEntity, 'TransformedIdEntity.id is found as it is stored; remove its trans'],
    ['whose id has another name', NamedIdEntity, 'NamedIdEntity.id is named "named_id" in the database; name it "id".'],
    ['with a late check of others', TicketEntity, 'Tables do not support a deferrable constraint of TicketEntity; rem'],
    ['with a foreign key that may be late', PlaceEntity, 'Tables do not support a deferrable constraint of PlaceEnt'],
    ['of a schema', entityOf({ schema: 'shop' }), 'Tables do not support a schema of ThingEntity; remove it, and name'],
    [
      'of a database',
      entityOf({ database: 'shop' }),
      'Tables do not support a database of ThingEntity; remove it, and',
    ],
    ['with an order', entityOf({ orderBy: { id: 'DESC' } }), 'Tables do not support an order of ThingEntity; remove'],
    ['with an engine', entityOf({ engine: 'InnoDB' }), 'Tables do not support an engine of ThingEntity; remove it:'],
    ['with an exclusion', BookingEntity, 'Tables do not support @Exclusion of BookingEntity; remove it: SQLite has'],
    ['of a tree', BranchEntity, 'Tables do not support a tree of BranchEntity; remove @Tree, and add a column with'],
    [
      'of several entities',
      VehicleEntity,
      'Tables do not support inheritance of VehicleEntity; remove it, and declare',
    ],
    ['with an accessor', ToyEntity, 'ToyEntity.label is no column, so that rows lack it; move it into the service'],
    ['with a method of its base', GameEntity, 'GameEntity.isFree is no column, so that rows lack it; move it into th'],
    ['with another property', NoteEntity, 'NoteEntity.note is no column, so that rows lack it; move it into the ser'],
    ['with an initial value', StateEntity, 'Tables do not store the initial value of StateEntity.state; set the va'],
    ['with a named check', CheckedEntity, 'Tables do not support the name of a check of CheckedEntity; remove it: the'],
    [
      'with a named unique index of some rows',
      indexed({ unique: true, where: '"id" > 9' }, 'high'),
      'Tables do not support the name of a unique index with "where" of ThingEntity; remove it: the name that Type',
    ],
    ...(
      [{ expireAfterSeconds: 9 }, { fulltext: true }, { spatial: true }, { sparse: true }, { parser: 'x' }] as const
    ).map((options): [string, Type<Row>, string] => [
      `with an index ${JSON.stringify(options)}`,
      indexed(options),
      'Tables do not support "spatial", "fulltext", "nullFiltered", "sparse", "background", "parser" or "exp',
    ]),
    ...(
      [
        // TypeORM refuses it on PostgreSQL.
        ...(ENGINE === 'sqlite' ? [['"length"', { type: 'simple-json', length: 9 }] as [string, ColumnOptions]] : []),
        ['a "length" that is no number', { type: 'varchar', length: 'max' }],
        ['"scale"', { type: 'double precision', scale: 2 }],
        ['"precision"', { type: 'integer', precision: 2 }],
        ['"enumName"', { type: 'text', enumName: 'x' }],
        ['"hstoreType"', { type: 'text', hstoreType: 'string' }],
        ['"srid"', { type: 'text', srid: 4326 }],
        ['"spatialFeatureType"', { type: 'text', spatialFeatureType: 'Point' }],
      ] satisfies [string, ColumnOptions][]
    ).map(([what, options]): [string, Type<Row>, string] => [
      `with ${JSON.stringify(options)}`,
      entityWith(options),
      `ThingEntity.member has ${what}, which means nothing for its type; remove it.`,
    ]),
    // TypeORM refuses it on SQLite.
    ...(ENGINE === 'postgres'
      ? ([
          ['with characters', entityWith({ type: 'char', length: 3 }), 'The type "char" of ThingEntity.member differs'],
        ] satisfies [string, Type<Row>, string][])
      : []),
    ['with binary JSON', entityWith({ type: 'jsonb' }), 'The type "jsonb" of ThingEntity.member differs between SQL'],
    [
      'without an id',
      DayEntity as unknown as Type<Row>, // code without types may give it
      'DayEntity has no id, by which tables find rows; declare one @PrimaryColumn(INT64).',
    ],
    ['of a view', TotalEntity, 'Tables do not support a view of TotalEntity; declare a table.'],
    ['with times of whole seconds', entityWith({ type: Date, precision: 0 }), 'the precision of ThingEntity.member'],
    ['with finer times than a Date', entityWith({ type: Date, precision: 6 }), 'the precision of ThingEntity.member'],
    ['with times of any precision', entityWith({ type: Date }), 'A Date has milliseconds; give the precision of Thing'],
  ])('%s is refused', async (_, entity, message) => {
    const options = await dataSourceOptions(patientConfig(database.url));
    const dataSource = new DataSource({ ...options, entities: [entity, ShelfEntity, SequenceEntity] });
    await dataSource.initialize();
    try {
      expect(() => openTable(dataSource, entity)).toThrow(StartError);
      expect(() => openTable(dataSource, entity)).toThrow(message);
    } finally {
      await dataSource.destroy();
    }
  });
});

@Entity('copies')
class CopyEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @ForeignKey(() => LabelEntity)
  @Column(INT64)
  labelId: bigint;
}

@Entity('keyless')
class KeylessEntity {
  @Column(INT64)
  id: bigint;
}

@Entity('emitted')
class EmittedEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column()
  state: 'a' | null;
}

@Entity('totals')
class SumEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column()
  total: bigint;
}

@Entity('lists')
class ListEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column()
  items: string[];
}

/** Every kind of column, as each engine declares it. */
@Entity('kinds')
class KindsEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column()
  text: string;

  @Column()
  number: number;

  @Column()
  flag: boolean;

  @Column({ precision: 3 })
  time: Date;

  @Column({ type: 'varchar', length: 5 })
  short: string;

  @Column({ type: 'int' })
  whole: number;

  @Column({ type: 'decimal', precision: 5, scale: 1 })
  amount: string;

  @Column({ type: 'json' })
  json: unknown;

  @ForeignKey('ShelfEntity')
  @Column(INT64)
  shelfId: bigint;

  @ForeignKey(() => KindsEntity)
  @Column(INT64)
  otherId: bigint;
}

const opening = (...entities: Type<object>[]): Promise<unknown> =>
  openDatabase(
    async (config: DatabaseConfig) =>
      new DataSource({ ...(await dataSourceOptions(config)), entities: [...entities, SequenceEntity], migrations: [] }),
    patientConfig(database.url),
    { migrate: true },
  );

const TYPES = 'text, varchar, INT64, integer, boolean, double precision, numeric, Date or simple-json';
const differs = (type: string): string =>
  `The type "${type}" of ThingEntity.member differs between SQLite and PostgreSQL; use ${TYPES}.`;

describe('a start', () => {
  it.each<[string, Type<object>, string]>([
    ...['timestamp', 'datetime', 'tinyint', 'bool', 'float8', 'float', 'char', 'uuid', 'jsonb', 'int8', 'real'].map(
      (type): [string, Type<object>, string] => [
        `a column of the type ${type}`,
        entityWith({ type: type as 'text' }), // one of the types, whichever
        differs(type),
      ],
    ),
    [
      'an entity without a primary column',
      KeylessEntity,
      'KeylessEntity has no primary column; declare its id @PrimaryColumn(INT64).',
    ],
    [
      'a column whose type in the code is a union',
      EmittedEntity,
      `The type of EmittedEntity.state in the code does not determine what its column holds; give @Column a type: ${TYPES}.`,
    ],
    [
      'a column whose type is only in the code a bigint',
      SumEntity,
      `The type of SumEntity.total in the code does not determine what its column holds; give @Column a type: ${TYPES}.`,
    ],
    [
      'a column whose type in the code is a list',
      ListEntity,
      `The type of ListEntity.items in the code does not determine what its column holds; give @Column a type: ${TYPES}.`,
    ],
    [
      'an enum',
      entityWith({ type: 'enum', enum: ['a'] }),
      'Tables ignore an enum of ThingEntity.member; give the column the type varchar: the contract checks the values.',
    ],
    [
      'a length of a text',
      entityWith({ type: 'text', length: 5 }),
      'ThingEntity.member has "length", which only varchar limits; give the column that type.',
    ],
    [
      'a length of JSON',
      entityWith({ type: 'simple-json', length: 5 }),
      'ThingEntity.member has "length", which means nothing for its type; remove it.',
    ],
    [
      'a quote in the name of a table',
      named("o'clock", 'member'),
      'The table of ThingEntity has a quote or NUL in its name; rename it.',
    ],
    [
      'a quote in the name of a column',
      named('things', 'a"b'),
      'The column of ThingEntity.member has a quote or NUL in its name; rename it.',
    ],
    [
      'a name of a column that PostgreSQL cuts',
      named('things', 'ä'.repeat(32)),
      'The column of ThingEntity.member has a name of 64 bytes, which PostgreSQL cuts to 63; shorten it.',
    ],
    [
      'an entity that is not made without arguments',
      MadeEntity,
      "MadeEntity fails when it is made without arguments (TypeError: Cannot read properties of undefined (reading 'id')); remove its constructor: rows are made without it.",
    ],
    [
      'a foreign key to an entity that is not listed',
      CopyEntity,
      'CopyEntity refers to LabelEntity, which is no entity of the DataSource; add it to "entities" in src/data-source.ts.',
    ],
  ])('refuses %s alike on both engines, before TypeORM does', async (_, entity, message) => {
    await expect(opening(entity)).rejects.toEqual(new StartError(message));
  });

  it('accepts the types that both engines have', async () => {
    // What comes after the checks of entities: these have no migrations.
    const later = / lacks the table | was migrated by a newer release /;
    await expect(opening(KindsEntity, ShelfEntity)).rejects.toThrow(later);
    await expect(opening(named('n'.repeat(63), 'ä'.repeat(31)))).rejects.toThrow(later);
  });

  it('refuses an entity of the sources that the DataSource does not list', async () => {
    const options = await dataSourceOptions(patientConfig(database.url));
    const listing = (...entities: Type<object>[]) => new DataSource({ ...options, entities });
    const { options: listed } = await application.createDataSource(patientConfig(database.url));
    // They are listed as classes.
    const own = listed.entities as Type<object>[];
    const others = own.filter((entity) => entity !== PetEntity);
    expect(() => refuseUnlisted([listing(...others)])).toThrow(
      /^src\/pets\/pet\.entity\.ts:\d+ PetEntity is not an entity of the DataSource; add it to "entities" in src\/data-source\.ts, or let a module provide the DataSource that lists it\.$/,
    );
    // Those of this file belong to no feature.
    expect(() => refuseUnlisted([listing(...own)])).not.toThrow();
    expect(() => refuseUnlisted([listing(...others, class extends PetEntity {})])).not.toThrow();
    expect(() => refuseUnlisted([listing(...others), listing(PetEntity)])).not.toThrow();
    expect(() => refuseUnlisted([new DataSource({ ...options, entities: ['src/*.entity.ts'] })])).not.toThrow();
  });
});

describe('the table of an entity with another action of a foreign key', () => {
  it.each([
    ['that empties an optional column', referring({ onDelete: 'SET NULL' }, true)],
    ['that resets an optional column', referring({ onDelete: 'SET DEFAULT' }, true)],
    ['that deletes the row', referring({ onDelete: 'CASCADE' })],
  ])('%s is accepted', async (_, entity) => {
    await expect(opening(entity, ShelfEntity)).rejects.toThrow(/ lacks the table | was migrated by a newer release /);
  });
});

describe('a DataSource', () => {
  it('with subscribers is refused', async () => {
    const config = patientConfig(database.url);
    const createDataSource = async (options: DatabaseConfig) =>
      new DataSource({
        ...(await dataSourceOptions(options)),
        entities: [ShelfEntity, SequenceEntity],
        migrations: [],
        subscribers: [ShelfSubscriber],
      });
    const start = openDatabase(createDataSource, config, { migrate: true });
    await expect(start).rejects.toBeInstanceOf(StartError);
    await expect(start).rejects.toThrow('Tables call no subscribers; move ShelfSubscriber into the service.');
  });
});
