import type { Type } from '@nestjs/common';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { type Cells, cellsOf, describeTable, type TableDescription } from '../../tables/columns/table-columns.js';
import { DatabaseUnavailable } from '../../tables/database-unavailable.js';
import type { OwnTransaction, Respond, Transactions } from '../../transactions/transaction.js';
import type { TransactionRows } from '../../transactions/transaction-table.js';
import { UnitOfWork } from '../../transactions/unit-of-work.js';
import { isDeadlock, isStalePlan, sqlStateOf } from '../postgres-fault.js';
import type { PostgresSession } from '../postgres-session.js';
import { PostgresStatements } from '../postgres-statements.js';
import { keepsPreparedStatements, postgresPool } from '../postgres.js';
import { insertTogether } from './insert-together.js';
import { isTakenId, PostgresInserts } from './postgres-inserts.js';
import { storeRequests } from './postgres-requests.js';
import { PostgresRows } from './postgres-rows.js';
import { FailedAttempt, LOCK_SEQUENCES, type Outcome, Repetitions, timeUntil } from './repetitions.js';
import { finalFault } from './row-faults.js';
import { TransactionConnection } from './transaction-connection.js';

/**
 * Serializable, as on SQLite: the work sees the rows as if it were alone. A transaction that waits longer for the lock of
 * another one is repeated: if they wait for each other, PostgreSQL notices it only after a second.
 */
const BEGIN = ['BEGIN ISOLATION LEVEL SERIALIZABLE', 'SET LOCAL lock_timeout = 100'];
/** The isolation of a single statement suffices: a group of inserts reads nothing. */
const BEGIN_TOGETHER = { name: 'begin_together', text: 'BEGIN ISOLATION LEVEL READ COMMITTED' };

/**
 * Taken before the first id; fails at once while another transaction holds LOCK_SEQUENCES. Waiting for that one would be
 * in vain: it takes ids as well, and after its commit the snapshot of this transaction is old. If the other transaction
 * waited for a row that this one has changed, both would wait for a second, and every creation with them. The same holds
 * for the row of "sequences", which creations lock (PostgresInserts.insertNow).
 */
const SHARE_SEQUENCES = { name: 'share_sequences', text: 'LOCK TABLE "sequences" IN ROW EXCLUSIVE MODE NOWAIT' };

/**
 * Only behind a pooler, which refuses it as a startup parameter. Without it, the transaction reads all rows of
 * "sequences", and conflicts with those that take ids of other tables.
 */
const USE_INDEXES = { name: 'use_indexes', text: 'SET LOCAL enable_seqscan = off' };

/** serialization_failure, deadlock_detected and lock_not_available: the same work may succeed. */
const RETRYABLE = new Set(['40001', '40P01', '55P03']);

interface PreparedTable {
  readonly description: TableDescription;
  readonly rows: PostgresRows;
  readonly inserts: PostgresInserts;
}

/** Runs each transaction on a connection of its own from the pool. */
export class PostgresTransactions implements Transactions {
  readonly #pool: Pool;
  readonly #isPrepared: boolean;
  /** Runs statements that no rollback undoes. */
  readonly #outside: PostgresStatements;
  readonly #tables = new Map<Type<object>, PreparedTable>();
  readonly #repetitions: Repetitions;

  constructor(
    private readonly dataSource: DataSource,
    /** Milliseconds of a transaction, with its repetitions; 0 for no limit. */
    private readonly limit: number,
  ) {
    this.#pool = postgresPool(dataSource);
    this.#isPrepared = keepsPreparedStatements(dataSource);
    this.#outside = new PostgresStatements(this.#pool, this.#isPrepared);
    this.#repetitions = new Repetitions(this.#outside);
  }

  /** Repeats the work when the transaction conflicts with others. */
  run<Result>(work: (transaction: OwnTransaction) => Promise<Result>): Promise<Result> {
    const end = this.#end();
    return this.#repetitions.run((lock) => this.#attempt(work, end, lock), end);
  }

  tableOf(entity: Type<object>): TableDescription {
    return this.#tableOf(entity).description;
  }

  async insertTogether(entity: Type<object>, rows: readonly Cells[], respond: Respond): Promise<ReadonlySet<string>> {
    const table = this.#tableOf(entity);
    const end = this.#end();
    let hasIds = false;
    const respondOnce: Respond = (ids) => {
      hasIds = true;
      return respond(ids);
    };
    for (let skipped = 0n; ;) {
      try {
        return await this.#insertTogether(table, rows, respondOnce, end);
      } catch (error) {
        if (isTakenId(error)) skipped = await table.inserts.skipIds(this.#outside, skipped);
        // As PostgresStatements does. Once the handlers have their ids, another attempt would give others.
        else if (hasIds || !isDeadlock(error) || performance.now() >= end)
          throw await finalFault(error, this.#outside, true);
      }
    }
  }

  async #insertTogether(
    { description, inserts }: PreparedTable,
    rows: readonly Cells[],
    respond: Respond,
    end: number,
  ): Promise<ReadonlySet<string>> {
    const connection = await this.#connect(end);
    const { session } = connection;
    try {
      await session.run(BEGIN_TOGETHER);
      const stored = await insertTogether(session, description.name, inserts, rows, respond, timeUntil(end));
      await connection.commit();
      return stored;
    } catch (error) {
      await connection.rollBack(error instanceof DatabaseUnavailable ? error.cause : undefined);
      throw error;
    }
  }

  async #attempt<Result>(
    work: (transaction: OwnTransaction) => Promise<Result>,
    end: number,
    lock?: string,
  ): Promise<Outcome<Result>> {
    const connection = await this.#connect(end);
    const { session } = connection;
    let hasTakenIds = false;
    let writes = 0;
    let blocked: PostgresInserts | undefined;
    const insert = async (inserts: PostgresInserts, row: Cells): Promise<bigint> => {
      const isFirst = !hasTakenIds;
      hasTakenIds = true;
      writes += 1;
      const shared = isFirst && lock !== LOCK_SEQUENCES ? this.#shareSequences(session) : undefined;
      try {
        // Sent together, so that nothing ends the transaction in between; both fail for the reason of the first
        // failure.
        const [id] = await Promise.all([inserts.insertNow(session, row), shared]);
        return id;
      } catch (error) {
        if (isTakenId(error)) blocked = inserts;
        throw error;
      }
    };
    const unit = new UnitOfWork(
      (entity) => this.#rowsOf(entity, session, insert, () => (writes += 1)),
      (requests) => storeRequests(session, requests),
    );
    try {
      await session.runAll(lock === undefined ? BEGIN : [...BEGIN, lock]);
      const result = await unit.perform(work, timeUntil(end));
      await connection.commit();
      return { result };
    } catch (error) {
      const fault = unit.failure ?? error;
      const outage = fault instanceof DatabaseUnavailable ? fault.cause : undefined;
      const sqlState = outage === undefined ? undefined : sqlStateOf(outage);
      const isStale = outage !== undefined && isStalePlan(outage);
      await connection.rollBack(outage);
      if (blocked && isTakenId(fault)) return new FailedAttempt(error, 'now', hasTakenIds, blocked);
      if (isStale) return new FailedAttempt(fault, 'now', hasTakenIds);
      if (sqlState !== undefined && RETRYABLE.has(sqlState)) return new FailedAttempt(fault, 'later', hasTakenIds);
      return new FailedAttempt(await finalFault(error, this.#outside, writes === 1), 'never', hasTakenIds);
    }
  }

  #shareSequences(session: PostgresSession): Promise<unknown> {
    const shared = session.run(SHARE_SEQUENCES);
    return this.#isPrepared ? shared : Promise.all([shared, session.run(USE_INDEXES)]);
  }

  /** When a transaction that begins now must end, as `performance.now()`. */
  #end(): number {
    return this.limit ? performance.now() + this.limit : Infinity;
  }

  #connect(end: number): Promise<TransactionConnection> {
    return TransactionConnection.of(this.#pool, this.#isPrepared, end);
  }

  #rowsOf(
    entity: Type<object>,
    session: PostgresSession,
    insert: (inserts: PostgresInserts, row: Cells) => Promise<bigint>,
    countWrite: () => void,
  ): TransactionRows {
    const { description, rows, inserts } = this.#tableOf(entity);
    return {
      table: description,
      page: (request) => rows.pageOf(request)(session),
      find: (id) => rows.find(session, id),
      insert: (row) => insert(inserts, cellsOf(description, row)),
      change: (change) => {
        countWrite();
        return rows.change(session, change);
      },
    };
  }

  #tableOf(entity: Type<object>) {
    let table = this.#tables.get(entity);
    if (!table) {
      const description = describeTable(this.dataSource, entity);
      table = {
        description,
        rows: new PostgresRows(description),
        inserts: new PostgresInserts(description),
      };
      this.#tables.set(entity, table);
    }
    return table;
  }
}
