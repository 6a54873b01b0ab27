import type { Connection, Submittable } from 'pg';
import { LARGE_RESULT, LargeResult } from '../../process/large-results.js';
import { arrayLiteral } from './array-literal.js';

export type Cells = unknown[];

type Scalar = string | bigint | number;
export type Parameter = Scalar | null | readonly (Scalar | null)[];

/** Converts a cell from PostgreSQL's text format. */
export type CellReader = (text: string) => unknown;

export type QueryCallback = (error: unknown, rows?: Cells[]) => void;

interface RowDescription {
  readonly fields: readonly { readonly dataTypeID: number }[];
}

interface DataRow {
  /** In bytes. */
  readonly length: number;
  readonly fields: readonly (string | null)[];
}

/** A statement that a connection has executed: its columns never change while the name exists. */
interface Prepared {
  readonly text: string;
  readonly readers: readonly CellReader[];
}

/** By connection and name. */
const preparedStatements = new WeakMap<Connection, Map<string, Prepared>>();

/**
 * One statement, submitted by `pg`. Unlike `pg`'s own query it has a prepared statement described only once per
 * connection, and copies nothing; docs/performance.md has the gain. It relies on methods of `pg` that are not documented,
 * so checkPgVersion limits the versions.
 */
export class PostgresQuery implements Submittable {
  /** Set before it is submitted. */
  callback: QueryCallback;
  readonly #values: readonly (string | null)[];
  readonly #rows: Cells[] = [];
  /** The size of these rows as they arrived. */
  #bytes = 0;
  /** Present once these bytes reach LARGE_RESULT. */
  #large?: LargeResult = undefined;
  #connection: Connection;
  /** Empty until PostgreSQL has described the columns; it sends no row before that. */
  #readers: readonly CellReader[] = [];
  /** The statements that are prepared on this connection. */
  #prepared: Map<string, Prepared>;
  readonly #start = performance.now();

  /** A statement with an empty name is prepared again each time. */
  constructor(
    readonly name: string,
    readonly text: string,
    values: readonly Parameter[],
    private readonly readerOf: (type: number) => CellReader,
    /** Milliseconds for the statement, including the wait for a connection; 0 for no limit. */
    private readonly limit: number,
  ) {
    // Here and not in `submit`, whose errors, such as for text that is too long, would reach the pool, not the caller.
    this.#values = values.map(textOf);
  }

  /** The rest of the limit. `pg` reads it when the statement gets a connection; to `pg`, 0 means no limit. */
  get query_timeout(): number {
    return this.limit && Math.max(1, this.limit - (performance.now() - this.#start));
  }

  /** `pg` passes an error that this returns to `handleError`. */
  submit(connection: Connection): Error | undefined {
    this.#connection = connection;
    this.#prepared = preparedOn(connection);
    const known = this.#prepared.get(this.name);
    const text = known ? known.text : parsedText(connection, this.name);
    // Otherwise the rows would be those of the other statement. A TypeError is a mistake, not an outage.
    if (text !== undefined && text !== this.text)
      return new TypeError(`The name "${this.name}" stands for another statement`);
    const { stream } = connection;
    stream.cork();
    if (known) this.#readers = known.readers;
    else if (text === undefined) connection.parse({ name: this.name, text: this.text, types: [] }, true);
    connection.bind({ portal: '', statement: this.name, values: [...this.#values] }, true);
    if (!known) connection.describe({ type: 'P', name: '' }, true);
    connection.execute({ portal: '' }, true);
    connection.sync();
    stream.uncork();
    return undefined;
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#readers = fields.map(({ dataTypeID }) => this.readerOf(dataTypeID));
  }

  handleDataRow({ fields, length }: DataRow): void {
    this.#bytes += length;
    if (this.#bytes >= LARGE_RESULT) this.#large ??= new LargeResult(this.#connection.stream);
    const readers = this.#readers;
    // PostgreSQL describes every column, so each has a reader.
    this.#rows.push(fields.map((text, index) => (text === null ? null : readers[index]!(text))));
  }

  /** After an error that PostgreSQL reported, `pg` keeps the next statement until the connection is ready for it. */
  handleError(error: unknown): void {
    this.#large?.end();
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.#large?.end();
    this.callback(undefined, this.#rows);
  }

  handleCommandComplete(): void {
    // A statement without rows gets no description, but is prepared nevertheless.
    if (this.name !== '' && !this.#prepared.has(this.name)) {
      this.#prepared.set(this.name, { text: this.text, readers: this.#readers });
    }
  }
}

/** The text that the server has parsed under a name, as `pg` records it, even if every execution has failed. */
function parsedText(connection: Connection, name: string): string | undefined {
  if (name === '') return undefined;
  return (connection as Connection & { parsedStatements: Readonly<Record<string, string>> }).parsedStatements[name];
}

function preparedOn(connection: Connection): Map<string, Prepared> {
  let prepared = preparedStatements.get(connection);
  if (!prepared) preparedStatements.set(connection, (prepared = new Map<string, Prepared>()));
  return prepared;
}

function textOf(value: Parameter): string | null {
  if (value === null) return null;
  return typeof value === 'object' ? arrayLiteral(value) : String(value);
}
