import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../tools/read-arguments.mjs';
import { median } from './measure/statistics.mjs';

readArguments(`Usage: node bench/commit-pages.mjs

Measures the processor time of a durable commit of one pet to SQLite, with and without the row of "sequences" (ADR 3), in
interleaved rounds.

  --help  print this help
`);

const ROUNDS = 15;
const COMMITS = 300;

const directory = mkdtempSync(join(tmpdir(), 'commit-pages-'));
process.on('exit', () => rmSync(directory, { recursive: true }));
const database = new Database(join(directory, 'pets.sqlite'));
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec(`
  CREATE TABLE pets (id BIGINT PRIMARY KEY, name TEXT NOT NULL, categoryId BIGINT NOT NULL, status TEXT) WITHOUT ROWID;
  CREATE INDEX pets_by_status ON pets (status, id);
  CREATE TABLE sequences (name TEXT PRIMARY KEY, last BIGINT NOT NULL) WITHOUT ROWID;
`);
const lastId = database.prepare('SELECT coalesce(max(id), 0) FROM pets').pluck();
const insert = database.prepare(`INSERT INTO pets VALUES (?, 'Rex', 7, 'available')`);
const store = database.prepare(`INSERT INTO sequences VALUES ('pets', ?)
  ON CONFLICT (name) DO UPDATE SET last = excluded.last`);

const commit = (storesLastId) =>
  database.transaction(() => {
    const id = lastId.get() + 1;
    insert.run(id);
    if (storesLastId) store.run(id);
  });
const contenders = { 'with sequences': commit(true), without: commit(false) };

const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const [name, transaction] of Object.entries(contenders)) {
    const before = process.cpuUsage();
    for (let count = 0; count < COMMITS; count += 1) transaction.immediate();
    const { user, system } = process.cpuUsage(before);
    // The first round warms up.
    if (round > 0) times[name].push((user + system) / COMMITS);
  }
}
for (const [name, all] of Object.entries(times)) {
  process.stdout.write(`${name}: ${median(all).toFixed(1)} µs\n`);
}
