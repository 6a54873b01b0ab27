import { afterAll, expect } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../src/app.js';
import type { AppParts } from '../../src/app.js';
import { readConfig } from '../../src/config.js';
import type { Config } from '../../src/config.js';
import { readContract } from '../../src/platform/contract/read-contract.js';
import { StartError } from '../../src/platform/process/start-error.js';
import { findRoot } from '../../src/platform/process/project-root.js';
import { Client } from './http/client.js';
import { oncePerFile } from './contract/once-per-file.js';
import { contractCheck } from './contract/contract-check.js';
import { createDatabase, type Engine } from './databases/databases.js';
import { PATIENT } from './databases/time-limits.js';
import { RawConnection } from './http/raw/raw-socket.js';
import { sendRaw } from './http/raw/send-raw.js';
import type { RawResponses } from './http/raw/send-raw.js';

export interface StartOptions extends Omit<AppParts, 'contract'> {
  /** The contract of the test; the client checks responses against it. */
  readonly contractFile?: string;
  /** The database engine; by default that of the run. */
  readonly engine?: Engine;
}

export interface StartedApp {
  readonly app: NestExpressApplication;
  readonly port: number;
  /** Without a trailing slash and without the base path. */
  readonly baseUrl: string;
  /** A valid API key, which the client sends by default. */
  readonly key: string;
  readonly databaseUrl: string;
  readonly api: Client;
  connect(): Promise<RawConnection>;
  sendRaw(bytes: string | Buffer, count?: number): Promise<RawResponses>;
  /** Stops the service and removes its database; idempotent. */
  close(): Promise<void>;
}

/** No application changes its contract. */
const contractOf = oncePerFile((file) => readContract(String(file)));

const open = new Set<() => Promise<void>>();

/** Milliseconds that pass only in a failure: a file may start a hundred services, and PostgreSQL drops a database in a second. */
const CLOSING = 600_000;

// A failed test must not leave its service running.
afterAll(async () => {
  await Promise.all([...open].map((close) => close()));
}, CLOSING);

/** Starts the real application on a free port, by default with a new database. */
export async function startApp(overrides: Partial<Config> = {}, options: StartOptions = {}): Promise<StartedApp> {
  const { contractFile, engine, ...parts } = options;
  const database = overrides.databaseUrl === undefined ? await createDatabase(engine) : undefined;
  const databaseUrl = overrides.databaseUrl ?? database!.url;
  const key = randomBytes(24).toString('hex');
  const callers: { close(): void }[] = [];
  let running: NestExpressApplication | undefined;
  const close = async (): Promise<void> => {
    const stopping = running;
    running = undefined;
    open.delete(close);
    for (const caller of callers.splice(0)) caller.close();
    await stopping?.close();
    await database?.drop();
  };
  open.add(close);

  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: databaseUrl,
    API_KEYS: key,
    LOG_LEVEL: 'silent',
  };
  const config: Config = { ...readConfig(env), ...PATIENT, ...overrides };
  const contract = contractOf(contractFile ?? `${findRoot()}/openapi.yaml`);
  const app = await createApp(config, { contract, ...parts }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  running = app;
  await app.listen(0, config.host);

  const { port } = app.getHttpServer().address() as AddressInfo;
  const check = contractCheck({ contractFile, cors: config.corsOrigins.length > 0 });
  const api = new Client({ port, key, check });
  callers.push(api);
  const connect = async (): Promise<RawConnection> => {
    const connection = await RawConnection.open(port, check);
    callers.push(connection);
    return connection;
  };
  return {
    app,
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    key,
    databaseUrl,
    api,
    connect,
    sendRaw: (bytes, count) => sendRaw(port, bytes, { check, ...(count !== undefined && { count }) }),
    close,
  };
}

/** The message of a start that is refused, with FILE:1:1 for its place in the contract. */
export async function startRefusal(started: Promise<unknown>): Promise<string> {
  const error: unknown = await started.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartError);
  return (error as StartError).message.replace(/^\S+\.yaml:\d+:\d+/, 'FILE:1:1');
}
