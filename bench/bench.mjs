import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { buildService } from '../tools/build-service.mjs';
import { commitCost } from './machine/commit-cost.mjs';
import { postgresDatabases } from './databases/postgres.mjs';
import { sqliteDatabases } from './databases/sqlite.mjs';
import { chooseGenerator } from './load/generate-load.mjs';
import { requireConnections } from './machine/limits.mjs';
import { describeMachine, moveTo, separateCores } from './machine/machine.mjs';
import { createWorkspace } from './machine/workspace.mjs';

const ENGINES = { sqlite: sqliteDatabases, postgres: postgresDatabases };

/** Builds the service, and creates the resources of one run: a directory, a key, processor cores, databases and a load generator. */
export async function createBench({ engine, generator, connections, builds }, progress) {
  requireConnections(Math.max(...connections));
  const chosen = chooseGenerator(generator);
  // Before the process moves to one core.
  if (builds) buildService();
  const directory = createWorkspace();
  const cores = separateCores();
  if (cores === undefined) {
    progress.say(
      'Not pinned: server and load generator share the processor, because taskset or a second core is missing.',
    );
  } else {
    moveTo(cores.load);
    progress.say(`Server on processor core ${cores.server}, load generator on core ${cores.load}.`);
  }
  const commitMilliseconds = commitCost(join(directory, 'commits.sqlite'));
  progress.say(
    `Load: ${chosen.name}, ${connections.join(', ')} connections. One commit to this disk: ${commitMilliseconds.toFixed(2)} ms.`,
  );
  // After the move above: child processes inherit the core.
  const databases = await ENGINES[engine](directory);
  progress.say(`Database: ${databases.description}.`);
  return {
    directory,
    cores,
    databases,
    generator: chosen,
    key: randomBytes(24).toString('hex'),
    conditions: {
      ...describeMachine(cores),
      database: databases.description,
      generator: chosen.name,
      connections,
      commitMilliseconds,
    },
  };
}
