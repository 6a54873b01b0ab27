import { join } from 'node:path';
import { DEFAULT_CONNECTIONS } from '../load/generate-load.mjs';
import { startServer } from './server.mjs';

/** A peer in a run, with its own database and log, and the number of connections that load it. */
export function enter(bench, peer, { name = peer.name, connections = DEFAULT_CONNECTIONS }) {
  const database = `${name}-${connections}`;
  return {
    name,
    peer,
    connections,
    database,
    start: (settings) =>
      startServer({
        name,
        connections,
        command: peer.command,
        settings: { DATABASE_URL: bench.databases.urlOf(database), API_KEYS: bench.key, ...peer.settings, ...settings },
        key: bench.key,
        core: bench.cores?.server,
        log: join(bench.directory, `${database}.log`),
      }),
  };
}

/** The service creates its schema at start, by migrations; the benchmark creates the schema of other peers. */
export async function createDatabase({ databases }, { database, peer, start }) {
  if (peer.hasOwnSchema) {
    await databases.createEmpty(database);
    const server = await start({ MIGRATE_ON_START: 'true' });
    await server.stop();
  } else await databases.createForPeer(database);
}

/** Gives each contender a copy of the same pets, so that creations do not affect the others. */
export async function createDatabases(bench, contenders, pets) {
  const filled = new Map();
  for (const contender of contenders) {
    const schema = contender.peer.hasOwnSchema ? contender.peer.name : 'peers';
    if (filled.has(schema)) await bench.databases.copy(filled.get(schema), contender.database);
    else {
      await createDatabase(bench, contender);
      await bench.databases.fill(contender.database, pets);
      filled.set(schema, contender.database);
    }
  }
}

/** Starts a contender that many times, and leaves the last one running. */
export async function startRepeatedly({ start }, times) {
  const starts = [];
  for (;;) {
    const server = await start();
    starts.push(server.start);
    if (starts.length === times) return { server, starts };
    await server.stop();
  }
}
