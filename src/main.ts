import { createApp } from './app.js';
import { AcceptedKeys } from './auth/accepted-keys.js';
import { ApiKeys } from './auth/api-keys.js';
import { type Config, readConfig } from './config.js';
import { databaseName } from './platform/database/open-database.js';
import { isPostgres } from './platform/database/postgres/postgres.js';
import type { ContractAdapter } from './platform/http/contract-adapter.js';
import { runCommand } from './platform/process/run-command.js';
import { STOP_SIGNALS, stopInTime } from './platform/http/server/shutdown-deadline.js';

await runCommand(async () => {
  const config = readConfig();
  const app = await createApp(config);
  app.enableShutdownHooks(STOP_SIGNALS, { useProcessExit: true });
  stopInTime(config, app.getHttpAdapter() as unknown as ContractAdapter);
  const server = await app.listen(config.port, config.host);
  const { port } = server.address() as { port: number };
  // Not before: a start that fails would make a key that nobody ever sees. Not for PostgreSQL: of many services that
  // start together, each would make one.
  const firstKey = isPostgres(config.databaseUrl)
    ? undefined
    : await createFirstKey(app.get(AcceptedKeys), app.get(ApiKeys));
  process.stdout.write(greeting(config, port, firstKey));
});

/** On the very first start nobody has a key yet: one is made, and shown this once. */
async function createFirstKey(accepted: AcceptedKeys, keys: ApiKeys): Promise<string | undefined> {
  if (!accepted.isEmpty) return undefined;
  const key = (await keys.list()).length === 0 ? await keys.create('first') : undefined;
  await accepted.refresh();
  return key;
}

function greeting({ host, databaseUrl }: Config, port: number, firstKey: string | undefined): string {
  const address = `http://${reachable(host)}:${port}`;
  const lines = [`Pet Store  ${address}/v1`, `Swagger UI ${address}/docs`, `Database   ${databaseName(databaseUrl)}`];
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
