import { createHash } from 'node:crypto';
import { writeJson } from '../values/exact-json.js';
import type { BulkTable, Cell, Cells } from './bulk-table.js';
import type { Progress } from './progress.js';

/** Rows of each side in memory at once. */
const PAGE = 5_000;

export interface Digest {
  readonly rows: number;
  /** SHA-256 over every column of every row, in the order of the key. */
  readonly checksum: string;
}

interface Comparison {
  readonly one: Digest;
  readonly other: Digest;
  /** The key of the first row that differs; undefined when the tables are equal. */
  readonly difference: Cell | undefined;
}

/** Reads both tables side by side to name the first difference, and to their ends to compute the checksums. */
export async function compareTables(one: BulkTable, other: BulkTable, progress?: Progress): Promise<Comparison> {
  const walks = [new Walk(one), new Walk(other)] as const;
  let difference: Cell | undefined;
  let left: Line[] = [];
  let right: Line[] = [];
  for (;;) {
    [left, right] = await Promise.all([
      left.length > 0 ? left : walks[0].next(),
      right.length > 0 ? right : walks[1].next(),
    ]);
    if (left.length === 0 && right.length === 0) break;
    // The pages of both sides may have different lengths: compare the common part, or the rest if one side has ended.
    const count = Math.min(left.length, right.length) || Math.max(left.length, right.length);
    const [ours, theirs] = [left.splice(0, count), right.splice(0, count)];
    difference ??= firstDifference(ours, theirs);
    progress?.step(walks[0].rows);
  }
  progress?.end(walks[0].rows);
  return { one: walks[0].digest(), other: walks[1].digest(), difference };
}

interface Line {
  readonly key: Cell;
  readonly text: string;
}

class Walk {
  rows = 0;
  readonly #hash = createHash('sha256');
  #after: Cell | undefined;

  constructor(private readonly table: BulkTable) {}

  async next(): Promise<Line[]> {
    const page = await this.table.page(this.#after, PAGE);
    // A row has a cell for each column.
    const lines = page.map((cells) => ({ key: cells[this.table.key]!, text: lineOf(cells) }));
    this.#hash.update(lines.map(({ text }) => text).join(''));
    this.rows += lines.length;
    this.#after = lines.at(-1)?.key ?? this.#after;
    return lines;
  }

  digest(): Digest {
    return { rows: this.rows, checksum: `sha256:${this.#hash.digest('hex')}` };
  }
}

/** Equal for equal rows of any engine: integers exact, also inside of JSON, text with line breaks escaped. */
function lineOf(cells: Cells): string {
  return `${cells.map((cell) => (typeof cell === 'number' ? cell : writeJson(cell))).join()}\n`;
}

function firstDifference(left: readonly Line[], right: readonly Line[]): Cell | undefined {
  const index = Array.from({ length: Math.max(left.length, right.length) }, (_, at) => at).find(
    (at) => left[at]?.text !== right[at]?.text,
  );
  // `index` is within the longer side.
  return index === undefined ? undefined : (left[index] ?? right[index])!.key;
}
