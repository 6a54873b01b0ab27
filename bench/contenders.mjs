import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPeerDatabase, fill } from './database.mjs';
import { startServer } from './server.mjs';

/** A peer that takes part in a run: with a database file, and the log, of its own. */
export function enter(bench, peer, name = peer.name) {
  const databaseFile = join(bench.directory, `${name}.sqlite`);
  return {
    name,
    peer,
    databaseFile,
    start: () =>
      startServer({
        name,
        command: peer.command,
        databaseFile,
        key: bench.key,
        core: bench.cores?.server,
        log: join(bench.directory, `${name}.log`),
      }),
  };
}

/** A service that owns its schema creates it at its first start; for the others we do. */
export async function createDatabase({ peer, databaseFile, start }) {
  if (!peer.hasOwnSchema) return createPeerDatabase(databaseFile);
  const server = await start();
  await server.stop();
}

/** Gives each contender a copy of the same pets, so that creations of one are no business of another. */
export async function createDatabases(contenders, pets) {
  const filled = new Map();
  for (const contender of contenders) {
    const schema = contender.peer.hasOwnSchema ? contender.name : 'peers';
    if (filled.has(schema)) copyFileSync(filled.get(schema), contender.databaseFile);
    else {
      await createDatabase(contender);
      await fill(contender.databaseFile, pets);
      filled.set(schema, contender.databaseFile);
    }
  }
}

/** Starts a contender as often as asked and leaves it running the last time. */
export async function startRepeatedly({ start }, times) {
  const readyMilliseconds = [];
  for (;;) {
    const server = await start();
    readyMilliseconds.push(server.readyAfter);
    if (readyMilliseconds.length === times) return { server, readyMilliseconds };
    await server.stop();
  }
}
