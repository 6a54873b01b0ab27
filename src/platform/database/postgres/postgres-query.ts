import type { Connection, Submittable } from 'pg';
import { arrayLiteral } from './array-literal.js';

export type Cells = unknown[];

type Scalar = string | bigint | number;
export type Parameter = Scalar | null | readonly (Scalar | null)[];

/** Makes a cell's value of its text. */
export type CellReader = (text: string) => unknown;

export type Answered = (error: unknown, rows?: Cells[]) => void;

interface RowDescription {
  readonly fields: readonly { readonly dataTypeID: number }[];
}

/** The readers of each prepared statement's cells: what a connection knows by name has the same columns for ever. */
const prepared = new WeakMap<Connection, Map<string, CellReader[]>>();

/**
 * One statement on its way to the server and back, for `pg` to submit. It does what `pg`'s own does, but has a statement
 * described once on a connection, when it is prepared there, and copies nothing.
 */
export class PostgresQuery implements Submittable {
  /** Set by the pool. */
  callback: Answered;
  readonly #values: readonly (string | null)[];
  readonly #rows: Cells[] = [];
  #readers: CellReader[] | undefined;
  /** Of the connection. */
  #described: Map<string, CellReader[]>;

  /** A statement without a name is prepared anew each time. */
  constructor(
    readonly name: string,
    readonly text: string,
    values: readonly Parameter[],
    private readonly readerOf: (type: number) => CellReader,
  ) {
    // Not when it is submitted: what fails there, as a text that is too long does, fails in the pool's hands.
    this.#values = values.map(textOf);
  }

  submit(connection: Connection): void {
    this.#described = describedOn(connection);
    this.#readers = this.#described.get(this.name);
    const { stream } = connection;
    stream.cork();
    if (!this.#readers) connection.parse({ name: this.name, text: this.text, types: [] }, true);
    connection.bind({ portal: '', statement: this.name, values: [...this.#values] }, true);
    if (!this.#readers) connection.describe({ type: 'P', name: '' }, true);
    connection.execute({ portal: '' }, true);
    connection.sync();
    stream.uncork();
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#readers = fields.map(({ dataTypeID }) => this.readerOf(dataTypeID));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const readers = this.#readers!;
    this.#rows.push(fields.map((text, index) => (text === null ? null : readers[index]!(text))));
  }

  /** The pool drops a connection on which this was called. */
  handleError(error: unknown): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(undefined, this.#rows);
  }

  handleCommandComplete(): void {
    // One that answers no rows is not described, but prepared all the same.
    if (this.name !== '' && !this.#described.has(this.name)) this.#described.set(this.name, this.#readers ?? []);
  }
}

function describedOn(connection: Connection): Map<string, CellReader[]> {
  let described = prepared.get(connection);
  if (!described) prepared.set(connection, (described = new Map()));
  return described;
}

function textOf(value: Parameter): string | null {
  if (value === null) return null;
  return typeof value === 'object' ? arrayLiteral(value) : String(value);
}
