import { join } from 'node:path';
import { startServer } from './server.mjs';

/** A peer in a run, with its own database and log. */
export function enter(bench, peer, name = peer.name) {
  return {
    name,
    peer,
    start: (settings) =>
      startServer({
        name,
        command: peer.command,
        settings: { DATABASE_URL: bench.databases.urlOf(name), API_KEYS: bench.key, ...settings },
        key: bench.key,
        core: bench.cores?.server,
        log: join(bench.directory, `${name}.log`),
      }),
  };
}

/** The service creates its schema at start, by migrations; the benchmark creates the schema of other peers. */
export async function createDatabase({ databases }, { name, peer, start }) {
  if (peer.hasOwnSchema) {
    await databases.createEmpty(name);
    const server = await start({ MIGRATE_ON_START: 'true' });
    await server.stop();
  } else await databases.createForPeer(name);
}

/** Gives each contender a copy of the same pets, so that creations do not affect the others. */
export async function createDatabases(bench, contenders, pets) {
  const filled = new Map();
  for (const contender of contenders) {
    const schema = contender.peer.hasOwnSchema ? contender.name : 'peers';
    if (filled.has(schema)) await bench.databases.copy(filled.get(schema), contender.name);
    else {
      await createDatabase(bench, contender);
      await bench.databases.fill(contender.name, pets);
      filled.set(schema, contender.name);
    }
  }
}

/** Starts a contender that many times, and leaves the last one running. */
export async function startRepeatedly({ start }, times) {
  const readyMilliseconds = [];
  for (;;) {
    const server = await start();
    readyMilliseconds.push(server.readyAfter);
    if (readyMilliseconds.length === times) return { server, readyMilliseconds };
    await server.stop();
  }
}
