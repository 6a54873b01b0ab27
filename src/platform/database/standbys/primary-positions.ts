import type { PostgresStatements } from '../postgres/postgres-statements.js';
import { DATABASE, numberOf, type PrimaryState, START } from './server-identity.js';

/** A row for each sequence, or a single one without a name. */
const CURRENT_STATE = {
  name: 'primary_state',
  text: `SELECT pg_current_wal_lsn(), ${DATABASE}, ${START}, "name", "last"
    FROM (SELECT) AS "server" LEFT JOIN "sequences" ON true`,
};

type StateCells = [lsn: string, database: string, start: string, table: string | null, last: bigint | null];

interface Position {
  /** A `pg_lsn` as text. */
  readonly lsn: string;
  /** Milliseconds of our own clock, so that the clocks of other machines do not matter. */
  readonly at: number;
}

/** Positions in the primary's write-ahead log, with the times at which they were read, and the ids that it shows. */
export class PrimaryPositions {
  /** The oldest first. */
  readonly #positions: Position[] = [];
  #lastIds: ReadonlyMap<string | null, bigint | null> = new Map();

  constructor(private readonly primary: PostgresStatements) {}

  /** Reads the state of the primary, and records its position and last ids. Throws DatabaseUnavailable. */
  async record(): Promise<PrimaryState | undefined> {
    const at = performance.now();
    const rows = (await this.primary.run(CURRENT_STATE, [])) as StateCells[];
    const [row] = rows;
    if (!row) return undefined;
    const [lsn, database, start] = row;
    this.#positions.push({ lsn, at });
    this.#lastIds = new Map(rows.map(([, , , table, last]) => [table, last]));
    return { lsn, database, start };
  }

  /**
   * Milliseconds since the primary was seen at a position that is not after this one: how old the data up to it is.
   * Undefined for one before all that are known.
   */
  ageOf(lsn: string): number | undefined {
    const replayed = numberOf(lsn);
    const latest = this.#positions.at(-1);
    if (latest && numberOf(latest.lsn) <= replayed) return 0;
    const last = this.#positions.findLast((position) => numberOf(position.lsn) <= replayed);
    return last && performance.now() - last.at;
  }

  /**
   * The last id of a table that the primary showed at the last record. It hides a commit until its synchronous standby has
   * that, while other standbys may have replayed it. Undefined before the first record, and before the first insert.
   */
  lastId(table: string): bigint | undefined {
    return this.#lastIds.get(table) ?? undefined;
  }

  /** Whether the position of `milliseconds` ago is known. */
  reachBack(milliseconds: number): boolean {
    const [first] = this.#positions;
    return first !== undefined && first.at <= performance.now() - milliseconds;
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
