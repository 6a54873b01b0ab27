import type { PostgresStatements } from '../postgres/postgres-statements.js';

const POSITION = { name: 'position', text: 'SELECT pg_current_wal_lsn()' };

interface Position {
  /** As PostgreSQL writes a `pg_lsn`. */
  readonly lsn: string;
  /** Milliseconds of our own clock; those of other machines are not asked. */
  readonly at: number;
}

/** How far the primary's log had come, and when. */
export class PrimaryPositions {
  /** The oldest first. */
  readonly #positions: Position[] = [];

  constructor(private readonly primary: PostgresStatements) {}

  /** Throws DatabaseUnavailable when the primary cannot be asked. */
  async look(): Promise<void> {
    const at = performance.now();
    const [row] = await this.primary.run(POSITION, []);
    this.#positions.push({ lsn: row![0] as string, at });
  }

  /**
   * Where the log stood `milliseconds` ago, or when it was first looked at if that is later. It stays what it was while
   * the primary is away. Undefined before the first look.
   */
  ago(milliseconds: number): string | undefined {
    const then = performance.now() - milliseconds;
    while (this.#positions.length > 1 && this.#positions[1]!.at <= then) this.#positions.shift();
    return this.#positions[0]?.lsn;
  }
}
