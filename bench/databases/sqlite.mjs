import Database from 'better-sqlite3';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { petOf } from '../requests/pets.mjs';

const BATCH = 10_000;

/** A schema as the documentation of the peers suggests; the service creates its own by migrations. */
const PEER_SCHEMA = `
  CREATE TABLE pets (id integer PRIMARY KEY, name text NOT NULL, categoryId integer NOT NULL, status text);
  CREATE INDEX pets_status_id ON pets (status, id);
`;

function open(file) {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  // Only for filling, where durability does not matter. The servers commit durably.
  database.pragma('synchronous = OFF');
  return database;
}

/** A log of an earlier server must not be applied to another file. */
function remove(file) {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}

function createForPeer(file) {
  remove(file);
  const database = open(file);
  database.exec(PEER_SCHEMA);
  database.close();
}

async function fill(file, pets, report = () => {}) {
  const database = open(file);
  try {
    const insert = database.prepare('INSERT INTO pets (id, name, categoryId, status) VALUES (?, ?, ?, ?)');
    const insertAll = database.transaction((first, last) => {
      for (let id = first; id <= last; id++) {
        const { name, categoryId, status } = petOf(id);
        insert.run(id, name, categoryId, status);
      }
    });
    let last = database.prepare('SELECT coalesce(max(id), 0) FROM pets').pluck().get();
    while (last < pets) {
      const first = last + 1;
      last = Math.min(last + BATCH, pets);
      insertAll(first, last);
      report(last);
      // Lets Node handle signals.
      await nextTurn();
    }
    if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'sequences'").get()) {
      database.prepare("INSERT OR REPLACE INTO sequences (name, last) VALUES ('pets', ?)").run(pets);
    }
    database.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}

/** One file per contender. */
export function sqliteDatabases(directory) {
  const fileOf = (name) => join(directory, `${name}.sqlite`);
  return {
    description: 'SQLite',
    urlOf: (name) => `sqlite:${fileOf(name)}`,
    /** Opening the file creates it. */
    createEmpty: async (name) => remove(fileOf(name)),
    createForPeer: async (name) => createForPeer(fileOf(name)),
    /** Adds pets up to that number, and reports progress. */
    fill: (name, pets, report) => fill(fileOf(name), pets, report),
    async copy(from, to) {
      remove(fileOf(to));
      copyFileSync(fileOf(from), fileOf(to));
    },
    /** SQLite runs inside the server, whose time includes it. */
    processorSeconds: () => 0,
    close: async () => {},
  };
}
