import type { Type } from '@nestjs/common';
import type { KeysetTable } from '../tables/keyset-table.js';

/** One unit of work: all of its changes, or none. */
export interface Transaction {
  /** The rows of an entity as this transaction sees them, with its own changes. Only until it ends. */
  table<Entity extends { id: bigint }>(entity: Type<Entity>): KeysetTable<Entity>;
}

export type Work<Result> = (transaction: Transaction) => Promise<Result>;

/** Runs the transactions of one database. */
export interface Transactions {
  run<Result>(work: Work<Result>): Promise<Result>;
  close?(): void;
}
