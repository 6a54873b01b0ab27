import type { DataSource } from 'typeorm';
import { readMigrationState } from './migrations/migration-state.js';
import { postgresCapabilities } from './postgres/postgres-capabilities.js';
import type { ServedDatabase } from './served/served-database.js';
import { sqliteCapabilities } from './sqlite/sqlite-capabilities.js';
import type { Capabilities, CheckCapabilities } from './tables/capabilities.js';

/** True means passed. */
export interface DatabaseChecks extends Capabilities {
  /** It responds. */
  readonly database: boolean;
  /** Its schema is up to date. */
  readonly migrations: boolean;
}

const NOTHING: DatabaseChecks = { database: false, migrations: false, reads: false, writes: false };

/** Checks the database without writing to it. */
export class DatabaseHealth {
  /** Prepared when the database is opened: a table may be missing later. */
  #capabilities?: CheckCapabilities;
  #running?: Promise<DatabaseChecks>;

  constructor(private readonly database: Pick<ServedDatabase, 'dataSource' | 'isOpen' | 'whenOpen'>) {
    database.whenOpen(() => void (this.#capabilities = capabilitiesOf(database.dataSource)));
  }

  /** Callers who arrive during a check or in the same turn share its result, so that a flood of them costs little. */
  check(): Promise<DatabaseChecks> {
    this.#running ??= this.#check().finally(() => setImmediate(() => (this.#running = undefined)));
    return this.#running;
  }

  async #check(): Promise<DatabaseChecks> {
    if (!this.#capabilities || !this.database.isOpen) return NOTHING;
    try {
      // Together, so that a slow database does not take longer than a probe waits.
      const [capabilities, migrations] = await Promise.all([this.#capabilities(), this.#isMigrated()]);
      return { database: true, migrations, ...capabilities };
    } catch {
      return NOTHING;
    }
  }

  async #isMigrated(): Promise<boolean> {
    try {
      return (await readMigrationState(this.database.dataSource)).missing.length === 0;
    } catch {
      // A check that fails counts as false.
      return false;
    }
  }
}

function capabilitiesOf(dataSource: DataSource): CheckCapabilities {
  return dataSource.options.type === 'postgres' ? postgresCapabilities(dataSource) : sqliteCapabilities(dataSource);
}
