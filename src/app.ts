import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule, FEATURES } from './app.module.js';
import { containsApiKey } from './auth/api-key.js';
import type { Config } from './config.js';
import { createDataSource } from './data-source.js';
import { serveDocs } from './docs/docs.module.js';
import { AdminServer } from './health/admin-server.js';
import { Readiness } from './health/readiness.js';
import { compositionFault } from './platform/composition/composition-fault.js';
import { nameFailingHooks } from './platform/composition/failing-hooks.js';
import { providerFault } from './platform/composition/failing-providers.js';
import { watchStart } from './platform/composition/slow-start.js';
import type { Contract } from './platform/contract/contract.js';
import { readContract } from './platform/contract/read-contract.js';
import type { CreateDataSource } from './platform/database/database-config.js';
import { openStoredRequests } from './platform/database/keyed/open-stored-requests.js';
import { databaseName, migrationReport, openDataSource } from './platform/database/open-database.js';
import { providedDataSources } from './platform/database/provided-data-sources.js';
import { refuseUnlisted } from './platform/database/tables/columns/declared-entities.js';
import { ServedDatabase } from './platform/database/served/served-database.js';
import { Standbys } from './platform/database/standbys/standbys.js';
import { OutageLog } from './platform/errors/outage-log.js';
import { ContractAdapter } from './platform/http/contract-adapter.js';
import { assertPlaced } from './platform/http/handlers/assert-placed.js';
import { noteParameters } from './platform/http/handlers/handler-parameters.js';
import type { OutcomeObserver } from './platform/http/outcomes/outcome.js';
import { RequestIds } from './platform/http/outcomes/request-id.js';
import { RequestLog } from './platform/http/outcomes/request-log.js';
import { installSyncExecutionContext } from './platform/http/internals/sync-execution-context.js';
import { IdempotencyKeys } from './platform/idempotency/idempotency-keys.js';
import { assertCors } from './platform/http/response/cors-headers.js';
import { SchemeGuard } from './platform/http/scheme.guard.js';
import { Metrics } from './platform/metrics/metrics.js';
import { createLogger } from './platform/process/logger.js';
import { findRoot } from './platform/process/project-root.js';
import { StartError } from './platform/process/start-error.js';
import { DtoPipe } from './platform/validation/dto.pipe.js';

export interface AppParts {
  readonly contract?: Contract;
  /** The modules that implement the contract's operations. */
  readonly features?: readonly Type<object>[];
  /** With the entities and migrations of the features. */
  readonly createDataSource?: CreateDataSource;
  /** Called before the routes are registered, so that it can register middleware with `app.use`. */
  readonly prepare?: (app: NestExpressApplication) => void;
}

/** Builds the application, ready to listen. Throws a StartError when that is impossible. */
export async function createApp(config: Config, parts: AppParts = {}): Promise<NestExpressApplication> {
  const contract = parts.contract ?? readContract(join(findRoot(), 'openapi.yaml'));
  const create = parts.createDataSource ?? createDataSource;
  const dataSource = await create(config);
  // Nest's own logger does not write the service's log until the application exists.
  const logger = createLogger(config.logLevel);
  const waits = (sentence: string) => void logger.warn(sentence, 'Database');
  const warns = (sentence: string) => void logger.warn(sentence, 'Start');
  const reports = (sentence: string) => void logger.log(sentence, 'Database');
  const report = (migrations: readonly string[], isNew: boolean) => {
    const name = databaseName(config.databaseUrl);
    // Log it at once, because the start may still fail: only this line distinguishes a database that was emptied by mistake.
    if (isNew) reports(`The database ${name} was missing or empty, so a new one was created.`);
    else reports(migrationReport(name, migrations));
  };
  const database = await ServedDatabase.open(dataSource, (claim) =>
    openDataSource(dataSource, create, config, { migrate: config.migrateOnStart, claim, report, waits }),
  );
  try {
    return await watchStart((fails) => assemble(config, contract, database, parts, fails), warns);
  } catch (error) {
    await database.close();
    const fault = startFault(error) ?? error;
    // Only here: what stops a start is one sentence.
    if (fault instanceof StartError && fault.cause !== undefined)
      logger.debug?.({ err: fault.cause }, 'The start has failed.', 'Start');
    throw fault;
  }
}

/** The sentence for an error that stops a start; undefined for what has its own words, or is not known. */
function startFault(error: unknown): StartError | undefined {
  return compositionFault(error) ?? providerFault(error);
}

async function assemble(
  config: Config,
  contract: Contract,
  database: ServedDatabase,
  { features = FEATURES, createDataSource: create = createDataSource, prepare }: AppParts,
  fails: (error: unknown) => void,
): Promise<NestExpressApplication> {
  const takesKeys = contract.operations.some(({ takesIdempotencyKey }) => takesIdempotencyKey);
  const requests = takesKeys ? openStoredRequests(database) : undefined;
  const keys = requests && new IdempotencyKeys(requests);
  const { adminPort, host } = config;
  const metrics = adminPort === undefined ? undefined : await Metrics.of(contract, versionsOf(contract));
  const requestIds = new RequestIds(config.apiKeys, containsApiKey);
  const outages = new OutageLog();
  const observers = observersOf(config, metrics, requestIds);
  const adapter = new ContractAdapter(contract, config, PROBES, requestIds, outages, observers, keys);
  const admin =
    metrics && adminPort !== undefined ? { host, port: adminPort, metrics, requestIds, timeouts: config } : undefined;
  const root = AppModule.forRoot({ config, contract, database, requests, outages, features, admin });
  let isStarting = true;
  const app = await NestFactory.create<NestExpressApplication>(root, adapter, {
    abortOnError: false,
    bodyParser: false,
    logger: createLogger(config.logLevel, (error) => isStarting && startFault(error) !== undefined),
  });
  installSyncExecutionContext(app);
  noteParameters(app);
  assertPlaced(app, root, features);
  // Tests bring the entities of their own features only.
  if (create === createDataSource) refuseUnlisted(providedDataSources(app));
  if (config.corsOrigins.length > 0) {
    const exposed = exposedHeaders(contract);
    assertCors(contract, config.corsOrigins, exposed);
    app.enableCors({ origin: [...config.corsOrigins], exposedHeaders: exposed });
  }
  serveDocs(app, contract);
  metrics?.watch(
    () => adapter.load,
    async () => (await app.get(Readiness).check()).checks,
    { database, standbys: app.get<Standbys | undefined>(Standbys) },
  );
  prepare?.(app);
  const unnameHooks = nameFailingHooks(app, [app.get<AdminServer | undefined>(AdminServer)]);
  try {
    await app.init();
    unnameHooks();
    adapter.assertComplete();
    app.get(DtoPipe).skip(await adapter.checkedFields());
    SchemeGuard.assertComplete(app, contract);
  } catch (error) {
    // Stop what the modules have started: the service does not run.
    fails(error);
    await app.close().catch(() => undefined);
    throw error;
  }
  isStarting = false;
  return app;
}

function observersOf({ logRequests }: Config, metrics: Metrics | undefined, requestIds: RequestIds): OutcomeObserver[] {
  const log = logRequests === 'none' ? [] : [new RequestLog(logRequests === 'errors', requestIds)];
  return metrics ? [...log, metrics.requests] : log;
}

function versionsOf({ document }: Contract): { build: string; contract: string } {
  const { version } = JSON.parse(readFileSync(`${findRoot()}/package.json`, 'utf8')) as { version: string };
  return { build: version, contract: (document as { info: { version: string } }).info.version };
}

/** Paths that are served however busy the service is: a process whose probe fails is restarted. */
const PROBES = ['/live', '/ready'];

/** Response headers that scripts of an allowed origin may read: those of the platform, and what the contract declares. */
function exposedHeaders({ operations }: Contract): string[] {
  const declared = operations.flatMap(({ responses }) =>
    [...responses.values()].flatMap((one) => [...one.headerNames]),
  );
  const common = new Set(EXPOSED_HEADERS.map((name) => name.toLowerCase()));
  return [...EXPOSED_HEADERS, ...new Set(declared.filter((name) => !common.has(name)))];
}

const EXPOSED_HEADERS = [
  'Link',
  'Location',
  'Deprecation',
  'Sunset',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'WWW-Authenticate',
  'Allow',
  'X-Request-Id',
];
