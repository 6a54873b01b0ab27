import type { Registry } from 'prom-client';
import { postgresPool } from '../database/postgres/postgres.js';
import type { ServedDatabase } from '../database/served/served-database.js';
import type { Standbys } from '../database/standbys/standbys.js';

type PromClient = typeof import('prom-client');

export interface DatabaseParts {
  readonly database: ServedDatabase;
  readonly standbys?: Standbys;
}

interface Server {
  readonly name: string;
  readonly pool: { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };
}

/** The connections to PostgreSQL, and its standbys. An SQLite file has neither. */
export function addDatabaseMetrics(
  client: PromClient,
  registry: Registry,
  { database, standbys }: DatabaseParts,
): void {
  const { dataSource } = database;
  if (dataSource.options.type !== 'postgres') return;
  const servers = (): Server[] => [
    // There is no pool before the database is open, nor at the end of a stop.
    ...(database.isOpen && dataSource.isInitialized ? [{ name: 'primary', pool: postgresPool(dataSource) }] : []),
    ...(standbys?.servers ?? []).map(({ name, server }) => ({ name, pool: server.pool })),
  ];
  registry.registerMetric(
    new client.Gauge({
      name: 'database_pool_connections',
      help: 'Open connections by server and state.',
      labelNames: ['server', 'state'],
      registers: [],
      collect() {
        for (const { name, pool } of servers()) {
          this.set({ server: name, state: 'idle' }, pool.idleCount);
          this.set({ server: name, state: 'used' }, pool.totalCount - pool.idleCount);
        }
      },
    }),
  );
  registry.registerMetric(
    new client.Gauge({
      name: 'database_pool_waiting',
      help: 'Statements that wait for a connection, by server.',
      labelNames: ['server'],
      registers: [],
      collect() {
        for (const { name, pool } of servers()) this.set({ server: name }, pool.waitingCount);
      },
    }),
  );
  if (!standbys) return;
  registry.registerMetric(
    new client.Gauge({
      name: 'database_standby_fit',
      help: 'Whether a standby serves reads: 1 or 0.',
      labelNames: ['server'],
      registers: [],
      collect() {
        for (const { name, isFit } of standbys.servers) this.set({ server: name }, isFit ? 1 : 0);
      },
    }),
  );
  registry.registerMetric(
    new client.Gauge({
      name: 'database_standby_lag_seconds',
      help: 'The age of the data that a standby has replayed, in steps of half a second; absent while it does not respond.',
      labelNames: ['server'],
      registers: [],
      async collect() {
        this.reset();
        for (const { name, lag } of await standbys.lags()) {
          if (lag !== undefined) this.set({ server: name }, lag / 1000);
        }
      },
    }),
  );
}
