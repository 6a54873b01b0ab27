import type { DataSource } from 'typeorm';
import { IdempotencyKeyEntity } from '../../idempotency/idempotency-key.entity.js';
import { hasAppendOnlyTable, wholeEntity } from './columns/shared-tables.js';
import { SequenceEntity } from './sequence.entity.js';

/** What a database can do now for requests. */
export interface Capabilities {
  readonly reads: boolean;
  readonly writes: boolean;
}

/** Checks them without writing. Rejects when the database does not respond. */
export type CheckCapabilities = () => Promise<Capabilities>;

interface RequiredTables {
  /** Those that requests read. */
  readonly read: readonly string[];
  /**
   * Those that requests write to: they have an id, or hold Idempotency-Keys. No request fails when the others, such as
   * that of API keys, cannot be written.
   */
  readonly written: readonly string[];
  /** Those of them whose rows requests change and remove. */
  readonly changed: readonly string[];
  /** Where written tables take their ids from. */
  readonly sequences: string;
  /** The columns of all of them, by table. */
  readonly columns: ReadonlyMap<string, readonly string[]>;
}

export function requiredTables(dataSource: DataSource): RequiredTables {
  const tables = dataSource.entityMetadatas.filter(
    (metadata) => metadata.target !== SequenceEntity && metadata === wholeEntity(metadata),
  );
  const sequences = dataSource.getMetadata(SequenceEntity);
  const written = tables.filter(
    ({ columns, target }) =>
      target === IdempotencyKeyEntity || columns.some(({ propertyName }) => propertyName === 'id'),
  );
  return {
    read: tables.map(({ tableName }) => tableName),
    written: written.map(({ tableName }) => tableName),
    changed: written.filter((table) => !hasAppendOnlyTable(table)).map(({ tableName }) => tableName),
    sequences: sequences.tableName,
    columns: new Map(
      [...tables, sequences].map(({ tableName, columns }) => [tableName, columns.map((it) => it.databaseName)]),
    ),
  };
}
