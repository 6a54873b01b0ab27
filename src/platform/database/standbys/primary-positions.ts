import type { PostgresStatements } from '../postgres/postgres-statements.js';

const CURRENT_POSITION = { name: 'position', text: 'SELECT pg_current_wal_lsn()' };

interface Position {
  /** A `pg_lsn` as text. */
  readonly lsn: string;
  /** Milliseconds of our own clock, so that the clocks of other machines do not matter. */
  readonly at: number;
}

/** Positions in the primary's write-ahead log, with the times at which they were read. */
export class PrimaryPositions {
  /** The oldest first. */
  readonly #positions: Position[] = [];

  constructor(private readonly primary: PostgresStatements) {}

  /** Reads the current position. Throws DatabaseUnavailable. */
  async record(): Promise<void> {
    const at = performance.now();
    const [row] = await this.primary.run(CURRENT_POSITION, []);
    if (row) this.#positions.push({ lsn: row[0] as string, at });
  }

  /**
   * The position of `milliseconds` ago, or the first one if that is later. While the primary is down, the last known
   * position stays. Undefined before the first record.
   */
  before(milliseconds: number): string | undefined {
    const time = performance.now() - milliseconds;
    const next = this.#positions.findLastIndex(({ at }) => at <= time);
    if (next > 0) this.#positions.splice(0, next);
    return this.#positions[0]?.lsn;
  }
}
