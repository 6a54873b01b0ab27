import { Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.js';
import { AcceptedKeys } from './auth/accepted-keys.js';
import { ApiKeys } from './auth/api-keys.js';
import { type Config, readConfig } from './config.js';
import { AdminServer } from './health/admin-server.js';
import { databaseName } from './platform/database/open-database.js';
import { ServedDatabase } from './platform/database/served/served-database.js';
import { isPostgres } from './platform/database/postgres/postgres.js';
import { reasonOf } from './platform/errors/reason-of.js';
import type { ContractAdapter } from './platform/http/contract-adapter.js';
import { stopOnSignals } from './platform/http/server/stop-on-signals.js';
import { refuseArguments } from './platform/process/command-line.js';
import { leaveSignals, runCommand, STOP_SIGNALS } from './platform/process/run-command.js';
import { print } from './platform/process/standard-output.js';

/** The name of the key that the first start creates. */
const FIRST_KEY = 'first';

const HELP = `Usage: npm start, or node dist/main.js

Starts the service, which environment variables configure: docs/configuration.md lists them. Prints its addresses, and at
the very first start on an SQLite file an API key. SIGTERM stops it.
`;

// Not awaited: the bundle is a script, which cannot await anything.
void runCommand(HELP, async () => {
  refuseArguments('set environment variables to configure the service');
  const config = readConfig();
  const app = await createApp(config);
  app.enableShutdownHooks(STOP_SIGNALS, { useProcessExit: true });
  stopOnSignals(config, app.get<HttpAdapterHost<ContractAdapter>>(HttpAdapterHost).httpAdapter);
  leaveSignals();
  const server = await app.listen(config.port, config.host);
  const { port } = server.address() as AddressInfo;
  // Only once the service listens: if the start failed, the key would never be shown. Only for SQLite: on PostgreSQL,
  // replicas that start together would each create one.
  const firstKey = isPostgres(config.databaseUrl)
    ? undefined
    : await createFirstKey(app.get(AcceptedKeys), app.get(ApiKeys));
  const text = greeting(config, port, app.get<AdminServer | undefined>(AdminServer)?.port, firstKey);
  await Promise.all([
    print(text).then((isShown) => (isShown ? undefined : reportLoss(app.get(ApiKeys), firstKey))),
    // Ends the process when a database that became available later must not be used.
    app.get(ServedDatabase).opened,
  ]);
});

/** The service works without its greeting. A key that was never shown would stop the next start from creating one. */
async function reportLoss(keys: ApiKeys, firstKey: string | undefined): Promise<void> {
  const logger = new Logger('Start');
  const loss = 'Standard output cannot be written, so the greeting is lost';
  if (firstKey === undefined) {
    logger.error(`${loss}.`);
    return;
  }
  try {
    await keys.remove(firstKey);
  } catch (error) {
    // The disk of standard output may be that of the database.
    logger.error(
      { reason: reasonOf(error) },
      `${loss}, and its API key could not be removed: run "npm run keys -- revoke ${FIRST_KEY}", then create one with "npm run keys -- create NAME".`,
    );
    return;
  }
  logger.error(
    `${loss}, and its API key was removed: create one with "npm run keys -- create NAME", or restart the service with another standard output.`,
  );
}

/** Creates a key on the very first start, when none exists. Its text cannot be shown again. */
async function createFirstKey(accepted: AcceptedKeys, keys: ApiKeys): Promise<string | undefined> {
  if (!accepted.isEmpty) return undefined;
  const key = (await keys.list()).length === 0 ? await keys.create(FIRST_KEY) : undefined;
  await accepted.refresh();
  return key;
}

function greeting(
  { host, databaseUrl }: Config,
  port: number,
  adminPort: number | undefined,
  firstKey: string | undefined,
): string {
  const address = `http://${reachable(host)}:${port}`;
  const lines = [`Pet Store  ${address}/v1`, `Swagger UI ${address}/docs`, `Database   ${databaseName(databaseUrl)}`];
  if (adminPort !== undefined) lines.push(`Metrics    http://${reachable(host)}:${adminPort}/metrics`);
  if (firstKey) {
    lines.push(
      `API key    ${firstKey}  (shown only once)`,
      '',
      `  curl -H 'Authorization: Bearer ${firstKey}' ${address}/v1/pets`,
      '',
    );
  }
  return `${lines.join('\n')}\n`;
}

function reachable(host: string): string {
  if (['0.0.0.0', '::'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
