import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { Column, Entity, Index, type MigrationInterface, PrimaryColumn, Unique } from 'typeorm';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import { StartError } from '../../../src/platform/process/start-error.js';
import { INT64 } from '../../../src/platform/values/int64.column.js';
import { createDatabase, type TestDatabase } from '../../support/databases/databases.js';
import { patientConfig } from '../../support/databases/time-limits.js';
import { creating } from '../../database/migrations/migrated-database.js';

@Entity('racks')
@Index(['shelf'])
class RackEntity {
  @PrimaryColumn(INT64)
  id: bigint;
}

@Entity('hooks')
@Unique(['wall', 'name'])
class HookEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text' })
  name: string;
}

const migration = (name: string): Type<MigrationInterface> =>
  class Step implements MigrationInterface {
    readonly name = name;

    async up(): Promise<void> {}

    async down(): Promise<void> {}
  };

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});

afterAll(() => database.drop());

it.each<[string, Type<object>[], Type<MigrationInterface>[], string]>([
  [
    'a migration without a timestamp',
    [],
    [migration('AddRacks')],
    'AddRacks has no timestamp; end the name of the migration with the milliseconds of now, as date +%s%3N prints.',
  ],
  [
    'two migrations of one name',
    [],
    [migration('AddRacks1795500000000'), migration('AddRacks1795500000000')],
    'AddRacks1795500000000 is the name of two migrations; give each class, and its "name", a name of its own.',
  ],
  [
    'an index of a property that the entity lacks',
    [RackEntity],
    [],
    'RackEntity has no property shelf, which a key or an index of it names; correct the name, or add it.',
  ],
  [
    'a unique key of a property that the entity lacks',
    [HookEntity],
    [],
    'HookEntity has no property wall, which a key or an index of it names; correct the name, or add it.',
  ],
])('stops the start: %s', async (_, entities, migrations, sentence) => {
  const start = openDatabase(creating(entities, migrations), patientConfig(database.url), { migrate: true });
  const error: unknown = await start.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(StartError);
  expect((error as Error).message).toBe(sentence);
});
