import type { Type } from '@nestjs/common';
import type { StoredRequest } from '../../idempotency/stored-response.js';
import type { RowChange } from '../tables/changes/row-change.js';
import type { Cells, TableDescription } from '../tables/columns/table-columns.js';
import type { KeysetTable } from '../tables/keyset-table.js';

/** One unit of work: all of its changes, or none. */
export interface Transaction {
  /** The rows of an entity as this transaction sees them, with its own changes. Only until it ends. */
  table<Entity extends { id: bigint }>(entity: Type<Entity>): KeysetTable<Entity>;
}

export type Work<Result> = (transaction: Transaction) => Promise<Result>;

/** What only the platform does in a transaction. */
export interface OwnTransaction extends Transaction {
  /** Whether it has inserted, changed or deleted a row, or is about to. */
  readonly hasChanged: boolean;
  /** Runs work of a feature, and rejects when it does not await each of its statements. */
  complete<Result>(work: Work<Result>): Promise<Result>;
  /** Resolves with whether there was such a row. */
  change(entity: Type<object>, change: RowChange): Promise<boolean>;
  /** Resolves with the hashes of those that were stored: not of those whose key another request has. */
  store(requests: readonly StoredRequest[]): Promise<ReadonlySet<string>>;
}

/** Resolves with what to store together with each row, in the order of the ids; a row without it is not stored. */
export type Respond = (ids: readonly bigint[]) => Promise<readonly (StoredRequest | undefined)[]>;

/** Runs the transactions of one database. */
export interface Transactions {
  run<Result>(work: (transaction: OwnTransaction) => Promise<Result>): Promise<Result>;
  tableOf(entity: Type<object>): TableDescription;
  /**
   * Stores rows together with the requests that created them, in one transaction that lasts until `respond` has resolved.
   * Resolves with the hashes of the requests that were stored. A row whose request was not stored is not stored either.
   */
  insertTogether(entity: Type<object>, rows: readonly Cells[], respond: Respond): Promise<ReadonlySet<string>>;
  close?(): void;
}
