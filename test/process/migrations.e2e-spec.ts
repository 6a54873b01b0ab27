import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/data-source.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { drift, expectAllDone, undoAll } from '../support/migrated.js';
import { patientConfig } from '../support/databases/time-limits.js';

const directory = mkdtempSync(join(tmpdir(), 'migrations-'));
const url = `sqlite:${join(directory, 'pets.sqlite')}`;
const opened: DataSource[] = [];

async function open(): Promise<DataSource> {
  const dataSource = await openDatabase(createDataSource, patientConfig(url), { migrate: true });
  opened.push(dataSource);
  return dataSource;
}

afterEach(async () => {
  for (const dataSource of opened.splice(0)) await dataSource.destroy();
  rmSync(directory, { recursive: true, force: true });
});

describe('migrations', () => {
  it('create the schema that the entities declare', async () => {
    expect(await drift(await open())).toEqual([]);
  });

  it('differ from the entities when a column is missing', async () => {
    const dataSource = await open();
    await dataSource.query('ALTER TABLE "pets" DROP COLUMN "name"');
    expect(await drift(dataSource)).not.toEqual([]);
  });

  it('run once', async () => {
    await open();
    await expectAllDone(await open());
  });

  it('can be undone to an empty database', async () => {
    const dataSource = await open();
    await undoAll(url);
    const tables = await dataSource.query(
      `SELECT "name" FROM "sqlite_schema" WHERE "type" = 'table' AND "name" NOT LIKE 'sqlite_%'`,
    );
    expect(tables).toEqual([{ name: 'migrations' }]);
    await expect(undoAll(url)).rejects.toThrow('No migration has run on the database, so there is none to undo.');
  });
});
