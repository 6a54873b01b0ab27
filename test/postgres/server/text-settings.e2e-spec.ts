import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { createDataSource } from '../../../src/data-source.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import { openTable } from '../../../src/platform/database/open-table.js';
import { StartError } from '../../../src/platform/process/start-error.js';
import { openStock, reopen, SampleEntity, ShelfEntity } from '../../database/support/stock.js';
import { withFailing } from '../standbys/failing-function.js';
import { createDatabase, createEmptyDatabase, onServer } from '../../support/databases/databases.js';
import { patientConfig } from '../../support/databases/time-limits.js';

const nameOf = ({ url }: { readonly url: string }): string => new URL(url).pathname.slice(1);

/** Whatever changes the text of a value, or the meaning of one. */
const OTHER_SETTINGS = [
  ['extra_float_digits', '0'],
  ['DateStyle', `'SQL, DMY'`],
  ['array_nulls', 'off'],
  ['bytea_output', 'escape'],
  ['IntervalStyle', 'sql_standard'],
  ['TimeZone', `'Pacific/Apia'`],
  ['standard_conforming_strings', 'off'],
  ['client_encoding', 'LATIN1'],
] as const;

const CONSEQUENCES: Readonly<Record<string, string>> = {
  synchronous_commit: 'not keep every row whose creation it has acknowledged',
  default_transaction_isolation: 'refuse changes that wait for others',
};

describe('a database with other settings than the service relies on', () => {
  it('keeps every value', async () => {
    const stock = await openStock();
    for (const [setting, value] of OTHER_SETTINGS) {
      await onServer(`ALTER DATABASE ${nameOf(stock)} SET ${setting} TO ${value}`);
    }
    const dataSource = await reopen(stock, []);
    const samples = openTable<SampleEntity>(dataSource, SampleEntity);
    const rows = [
      { double: 0.1 + 0.2, time: new Date('2026-11-22T15:00:00.007Z'), integer: -7, flag: true },
      { text: `Zoë 'NULL' "🐈" \\n \\' €`, big: 2n ** 62n + 1n, amount: '12345678.90' },
      { short: 'NULL', json: { a: [null, '\\'] }, code: 'ABC' },
      {},
    ];
    // Together, so that each column of one row is a null in another.
    const ids = await Promise.all(rows.map((row) => samples.insert(row)));
    const found = await samples.page({ where: {}, limit: 9 });
    const [first] = await samples.page({ where: { time: rows[0]?.time, double: 0.1 + 0.2 }, limit: 9 });
    await dataSource.destroy();
    await stock.close();
    expect(found).toStrictEqual(rows.map((row, index) => ({ id: ids[index], ...row })));
    expect(first).toStrictEqual(found[0]);
  });

  // A pooler refuses the options of a connection, so these have none either.
  it.each([
    ['extra_float_digits', '0', '0', '1'],
    ['DateStyle', `'SQL, DMY'`, 'SQL, DMY', 'ISO'],
    ['array_nulls', 'off', 'off', 'on'],
    ['synchronous_commit', 'off', 'off', 'on'],
    ['default_transaction_isolation', `'repeatable read'`, 'repeatable read', `'read committed'`],
  ])('is refused behind a pooler because of "%s", until that is changed', async (setting, value, shown, required) => {
    const database = await createDatabase();
    const name = nameOf(database);
    await onServer(`ALTER DATABASE ${name} SET ${setting} TO ${value}`);
    const config = { ...patientConfig(database.url), databasePooler: true };
    const open = () => openDatabase(createDataSource, config, { migrate: false });
    const user = decodeURIComponent(new URL(database.url).username);
    const remedy = `ALTER ROLE ${user} IN DATABASE ${name} SET ${setting} TO ${required}`;
    await expect(open()).rejects.toEqual(
      new StartError(
        `PostgreSQL would ${CONSEQUENCES[setting] ?? 'not keep every value'}, because ${setting} is "${shown}"; run ${remedy}, then RECONNECT in the pooler.`,
      ),
    );
    await onServer(remedy);
    await (await open()).destroy();
    await database.drop();
  });

  it.each([
    ['off', 'on'],
    ['local', 'local'],
    ['remote_apply', 'remote_apply'],
  ])('commits to disk where synchronous_commit is %s', async (value, expected) => {
    const database = await createDatabase();
    await onServer(`ALTER DATABASE ${nameOf(database)} SET synchronous_commit TO ${value}`);
    const dataSource = await openDatabase(createDataSource, patientConfig(database.url), { migrate: false });
    // Each connection of the pool, also those of transactions.
    const shown = await Promise.all(
      [1, 2, 3].map(() =>
        dataSource.transaction(async (manager) => {
          await manager.query('SELECT pg_sleep(0.1)');
          return manager.query<unknown[]>('SHOW synchronous_commit');
        }),
      ),
    );
    const all = { synchronous_commit: expected };
    expect(shown.flat()).toEqual([all, all, all]);
    await dataSource.destroy();
    await database.drop();
  });

  it.each(['repeatable read', 'serializable'])(
    'makes changes that wait for others where %s is the default',
    async (level) => {
      const stock = await openStock();
      await onServer(`ALTER DATABASE ${nameOf(stock)} SET default_transaction_isolation TO '${level}'`);
      const dataSource = await reopen(stock, []);
      const shelves = openTable<ShelfEntity>(dataSource, ShelfEntity);
      await shelves.insert({ label: 'A', count: 0n });
      const owner = dataSource.createQueryRunner();
      await owner.startTransaction();
      await owner.query(`UPDATE "shelves" SET "count" = 1; UPDATE "sequences" SET "last" = 7 WHERE "name" = 'shelves'`);
      const changes = Promise.allSettled([
        shelves.update(1n, { label: 'B' }),
        shelves.insert({ label: 'C', count: 0n }),
      ]);
      const waiting = () =>
        onServer(`SELECT FROM "pg_stat_activity" WHERE "datname" = $1 AND "wait_event_type" = 'Lock'`, [nameOf(stock)]);
      for (const end = Date.now() + 30_000; (await waiting()).length < 2 && Date.now() < end;) await delay(20);
      await owner.commitTransaction();
      await owner.release();
      expect(await changes).toEqual([
        { status: 'fulfilled', value: true },
        { status: 'fulfilled', value: 8n },
      ]);
      await dataSource.destroy();
      await stock.close();
    },
  );

  it('leaves no connection when it cannot be made to', async () => {
    const database = await createDatabase();
    const name = nameOf(database);
    await withFailing(database.url, 'current_setting(text) RETURNS text');
    const opening = openDatabase(createDataSource, patientConfig(database.url), { migrate: false });
    await expect(opening).rejects.toThrow('not today');
    const connections = () => onServer('SELECT "state" FROM "pg_stat_activity" WHERE "datname" = $1', [name]);
    // The server notices the end with a delay.
    for (const end = Date.now() + 30_000; (await connections()).length > 0 && Date.now() < end;) await delay(20);
    expect(await connections()).toEqual([]);
    await database.drop();
  });

  it('is refused with an encoding that lacks characters', async () => {
    const database = await createEmptyDatabase('postgres', `template0 ENCODING 'LATIN1' LOCALE 'C'`);
    const config = patientConfig(database.url);
    await expect(openDatabase(createDataSource, config, { migrate: true })).rejects.toEqual(
      new StartError(
        'PostgreSQL would not keep every value, because server_encoding is "LATIN1"; choose a database with the encoding UTF8.',
      ),
    );
    await database.drop();
  });

  it('is refused when options of its address replace those of the service', async () => {
    const database = await createDatabase();
    const config = patientConfig(`${database.url}?options=-c%20DateStyle%3DGerman`);
    await expect(openDatabase(createDataSource, config, { migrate: false })).rejects.toEqual(
      new StartError(
        'PostgreSQL would not keep every value, because DateStyle is "German, DMY"; remove "options" from DATABASE_URL.',
      ),
    );
    await database.drop();
  });
});
