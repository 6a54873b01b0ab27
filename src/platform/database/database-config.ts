import type { DataSource } from 'typeorm';
import type { StandbysConfig } from './standbys/standbys-config.js';

/** How a process uses its database. Everything but the address and the statement timeout applies to PostgreSQL only. */
export type DatabaseConfig = StandbysConfig;

/** Creates the application's DataSource, with its entities and migrations; does not connect. */
export type CreateDataSource = (config: DatabaseConfig) => Promise<DataSource>;
