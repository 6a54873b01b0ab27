// PostgreSQL is backed up under load, destroyed and restored with the commands of docs/operations.md: to the end of the
// archive, to a moment, and from a dump.
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { OWNER } from '../cluster/debian.mjs';
import { send } from '../cluster/service/send.mjs';
import { migrate, startService } from '../cluster/service/service.mjs';
import { storedPets } from '../cluster/service/stored-pets.mjs';
import { until } from '../cluster/until.mjs';
import { Load } from '../load.mjs';
import { Postgres } from '../postgres.mjs';
import { addOlderNights, baseBackups, unneededSegments } from './nights.mjs';
import { documentedScripts, runScript } from './documented.mjs';

/** Milliseconds of load before, between and after the backups. */
const PHASE = 2_000;
const KEY = 'key-of-the-backup';

export async function backup(report, say, cleanup) {
  const home = mkdtempSync(join(tmpdir(), 'pet store backup-'));
  if (OWNER) chownSync(home, OWNER.uid, OWNER.gid);
  cleanup.add(() => rmSync(home, { recursive: true, force: true }));
  const postgres = new Postgres();
  cleanup.add(() => postgres.remove());
  await postgres.create();
  const services = writeServices(join(home, 'services.conf'), postgres);
  const variables = { PGSERVICEFILE: services, PGDATA: postgres.data, BACKUPS: home };
  const run = (script, more = {}) => runScript(script, home, { ...variables, ...more });
  const [dump, restoreDump, dropOld] = documentedScripts('PostgreSQL');
  const [archive, showArchive, base, deleteOld, restoreBase, stopAtMoment] =
    documentedScripts('PostgreSQL at any moment');

  run(archive);
  await postgres.stop();
  await postgres.start();
  run(showArchive);
  migrate(postgres.url);
  const service = await serve(postgres, cleanup);
  const load = new Load({ port: service.port, key: KEY });
  cleanup.add(() => load.stop());
  const created = () => load.outcomes.filter(({ status }) => status === 201);
  await delay(PHASE);

  say('backup: pg_dump and pg_basebackup, under load');
  const beforeDump = created();
  run(dump);
  run(base);
  await delay(PHASE);
  run(base);
  const [first] = baseBackups(home);
  addOlderNights(home, run);
  const nights = baseBackups(home);
  const unneeded = unneededSegments(home, first).length;
  run(deleteOld);
  const beforeMoment = created();
  const [{ moment }] = await query(postgres, 'SELECT now()::text AS "moment"');
  const momentAt = performance.now();
  await delay(PHASE);
  await load.stop();
  await service.stop();
  const all = created();
  const afterMoment = all.filter(({ at, took }) => at - took > momentAt);
  await archived(postgres);

  say('backup: PostgreSQL is destroyed, and restored to the end of the archive');
  await postgres.crash();
  run(restoreBase, { BASE: join(home, baseBackups(home).at(-1)) });
  await recover(postgres);
  await compare('to the end', report, postgres, cleanup, all);

  say('backup: PostgreSQL is destroyed, and restored to the moment');
  await postgres.crash();
  run('rm -r "$PGDATA.lost"');
  run(restoreBase + stopAtMoment, { MOMENT: moment, BASE: join(home, first) });
  await recover(postgres);
  const deleted = nights.filter((night) => !baseBackups(home).includes(night));
  report.promise(
    'to a moment: base backups deleted before',
    isDeepStrictEqual(deleted, nights.slice(0, 1)),
    deleted.length,
  );
  report.promise('to a moment: archived segments without a use', unneeded > 0, unneeded);
  report.none('to a moment: of them not deleted', unneededSegments(home, first).length);
  await compare('to a moment', report, postgres, cleanup, beforeMoment, afterMoment);

  say('backup: the database is restored from the dump');
  // A role of a rotation of the password. The tables must belong to the role that the next rotation returns to.
  await query(postgres, `CREATE ROLE pets_b LOGIN PASSWORD '${new URL(postgres.url).password}' IN ROLE pets`);
  run(restoreDump, { PGSERVICEFILE: writeServices(join(home, 'rotated.conf'), postgres, 'pets_b') });
  await compare('from the dump', report, postgres, cleanup, beforeDump, afterMoment);
  const kept = await oldDatabases(postgres);
  report.promise('from the dump: old databases kept until then', kept === 1, kept);
  run(dropOld);
  report.none('from the dump: old databases after that', await oldDatabases(postgres));
  report.none('from the dump: dumps that others may read', statSync(join(home, 'pets.dump')).mode & 0o077 ? 1 : 0);
  report.promise(
    'creations during and between the backups',
    beforeMoment.length > beforeDump.length,
    beforeMoment.length,
  );
}

/** Writes the file of libpq that docs/operations.md describes. `user` is the role of the service. */
function writeServices(file, postgres, user = 'pets') {
  const url = new URL(postgres.url);
  url.username = user;
  const services = { pets: url, 'pets-admin': new URL(postgres.adminUrl) };
  const sections = Object.entries(services).map(
    ([name, { hostname, port, pathname, username, password }]) =>
      `[${name}]\nhost=${hostname}\nport=${port}\ndbname=${pathname.slice(1)}\nuser=${username}\npassword=${password}\n`,
  );
  writeFileSync(file, sections.join('\n'), { mode: 0o600 });
  if (OWNER) chownSync(file, OWNER.uid, OWNER.gid);
  return file;
}

async function serve(postgres, cleanup) {
  const service = await startService({ DATABASE_URL: postgres.url, API_KEYS: KEY });
  cleanup.add(service.stop);
  return service;
}

/** Starts a server that replays the archive. */
async function recover(postgres) {
  await postgres.start();
  await until('the end of the recovery', async () => {
    const [{ inRecovery }] = await query(postgres, 'SELECT pg_is_in_recovery() AS "inRecovery"');
    return !inRecovery;
  });
}

/** Counts what a restore lost, and what it has although it came later, if anything did; then adds a pet. */
async function compare(how, report, postgres, cleanup, expected, later) {
  const stored = await storedPets(postgres.url);
  const isStored = ({ id, name }) => stored.get(id) === name;
  report.promise(`${how}: creations acknowledged before`, expected.length > 0, expected.length);
  report.none(`${how}: of them not restored`, expected.filter((pet) => !isStored(pet)).length);
  if (later) {
    report.promise(`${how}: creations that came later`, later.length > 0, later.length);
    report.none(`${how}: of them present`, later.filter(isStored).length);
  }
  const service = await serve(postgres, cleanup);
  const added = await send({ port: service.port, key: KEY }, 'POST', '/v1/pets', { name: 'next', categoryId: 1 });
  await service.stop();
  const greatest = [...stored.keys()].map(BigInt).reduce((a, b) => (a > b ? a : b));
  report.promise(`${how}: ids continue`, added.status === 201 && BigInt(added.id) === greatest + 1n, Number(added.id));
}

/** Waits until the log so far is in the archive, as it is after archive_timeout. */
async function archived(postgres) {
  const [{ segment }] = await query(postgres, 'SELECT pg_walfile_name(pg_switch_wal()) AS "segment"');
  await until('the archive', async () => {
    const [{ last }] = await query(postgres, 'SELECT "last_archived_wal" AS "last" FROM "pg_stat_archiver"');
    return last >= segment;
  });
}

async function oldDatabases(postgres) {
  const rows = await query(postgres, `SELECT FROM "pg_database" WHERE "datname" = 'pets_old'`);
  return rows.length;
}

async function query(postgres, statement) {
  const client = new pg.Client({ connectionString: postgres.adminUrl });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
