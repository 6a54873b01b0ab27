import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/data-source.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { openTable } from '../../src/platform/database/open-table.js';
import { PetStatus } from '../../src/pets/pet-status.js';
import { PetEntity } from '../../src/pets/pet.entity.js';
import { createDatabase, type TestDatabase } from '../support/databases/databases.js';
import { patientConfig } from '../support/databases/time-limits.js';

/** After five executions of a prepared statement, PostgreSQL may switch to a generic plan. */
const EXECUTIONS = 6;

/** What the names of the prepared statements begin with, and parameters for EXPLAIN. */
const STATEMENTS = {
  pets_find: "('1')",
  pets_page_128: "(10, '1')",
  pets_page_status_128: "(10, '1', 'sold')",
};

const FROM = `FROM "pg_prepared_statements" WHERE split_part("name", ' ', 1) = $1`;

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createDatabase('postgres');
  // A single connection, so that the test inspects the one with the prepared statements.
  const config = { ...patientConfig(database.url), databasePoolSize: 1 };
  dataSource = await openDatabase(createDataSource, config, { migrate: false });
  const pets = openTable(dataSource, PetEntity);
  for (const status of [PetStatus.available, PetStatus.pending])
    await pets.insert({ name: 'Rex', categoryId: 7n, status });
  // With statistics of two rows, PostgreSQL would scan the table by default.
  await dataSource.query('ANALYZE "pets"');
  for (let turn = 0; turn < EXECUTIONS; turn += 1) {
    await pets.find(1n);
    await pets.page({ where: {}, limit: 20 });
    await pets.page({ where: { status: PetStatus.sold }, limit: 101 });
  }
});

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

describe.each(Object.entries(STATEMENTS))('the statement %s', (name, values) => {
  it('uses a generic plan', async () => {
    const [statement] = await dataSource.query<{ kept: boolean }[]>(`SELECT "generic_plans" > 0 AS "kept" ${FROM}`, [
      name,
    ]);
    expect(statement).toStrictEqual({ kept: true });
  });

  it('reads an index in order, without a sort or a filter', async () => {
    const [statement] = await dataSource.query<{ name: string }[]>(`SELECT "name" ${FROM}`, [name]);
    const text = `EXPLAIN EXECUTE "${statement!.name}" ${values}`;
    const lines: { 'QUERY PLAN': string }[] = await dataSource.query(text);
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Cond: ');
    expect(plan).not.toMatch(/Seq Scan|Sort|Filter/);
  });
});
