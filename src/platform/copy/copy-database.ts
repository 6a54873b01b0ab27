import { copyMark, ONLY_MIGRATED, sourceOfMark } from '../database/unfinished-copy.js';
import { StartError } from '../process/start-error.js';
import type { BulkDatabase } from './bulk-database.js';
import { type BulkTable, type Cells, keyText } from './bulk-table.js';
import { compareTables, type Digest } from './compare-tables.js';
import { Progress } from './progress.js';

/** Rows of a transaction. */
const BATCH = 5_000;
/** A page that holds all sequences. */
const ALL = 10_000;
/**
 * Comparisons with what the source has in the end. Each one is of a single moment, and another one follows if anything was
 * written since. On PostgreSQL, that may be something else on the server, for ever.
 */
const MOST_COMPARISONS = 3;

interface CopiedTable extends Digest {
  readonly name: string;
}

export interface Copied {
  /** Whether it continued an interrupted copy. */
  readonly resumed: boolean;
  readonly tables: readonly CopiedTable[];
}

/** Makes the target equal to the source, or throws a StartError and leaves it marked as unfinished. */
export async function copyDatabase(source: BulkDatabase, target: BulkDatabase): Promise<Copied> {
  const resumed = await begin(source, target);
  // Both sides have the tables of the same entities.
  const pairs = source.tables.map((from, index) => [from, target.tables[index]!] as const);
  await clearChanged(target);
  const tables: CopiedTable[] = [];
  await source.startSnapshot();
  for (const [from, to] of pairs) await copyTable(from, to);
  await target.checkReferences();
  for (const [from, to] of pairs) tables.push(await verify(from, to, source.name, target.name));
  const sequences = await sequencesOf(source);
  await source.endSnapshot();
  for (let again = 0; again < MOST_COMPARISONS && (await source.hasChanged()); again += 1) {
    await source.startSnapshot();
    await refuseLaterWrites(pairs, source.name);
    await refuseLaterIds(source, sequences);
    await source.endSnapshot();
  }
  await target.sequences.replace(sequences);
  return { resumed, tables };
}

/** Marks the target, unless its migration has. Returns whether an earlier copy of the same source has filled some of it. */
async function begin(source: BulkDatabase, target: BulkDatabase): Promise<boolean> {
  const sequences = await target.sequences.page(undefined, ALL);
  const mark = sequences.find(([name]) => sourceOfMark(name as string) !== undefined);
  const earlier = mark && sourceOfMark(mark[0] as string);
  if (earlier !== undefined && earlier !== source.name) {
    throw new StartError(
      `The database ${target.name} holds an unfinished copy of ${earlier}; finish that copy or choose an empty database.`,
    );
  }
  if (mark?.[1] === ONLY_MIGRATED) {
    // The source has its own version of these rows. The mark comes last, so that an interrupted run clears them again.
    for (const table of target.tables.toReversed()) await table.replace([]);
    await target.sequences.replace([[copyMark(source.name), 0n]]);
    return false;
  }
  for (const table of earlier === undefined ? [...target.tables, target.sequences] : target.tables) {
    if ((await table.greatestKey()) === undefined) continue;
    if (earlier !== undefined) return true;
    throw new StartError(`The database ${target.name} is not empty (it has ${table.name}); choose an empty database.`);
  }
  if (earlier === undefined) await target.sequences.insert([[copyMark(source.name), 0n]]);
  return false;
}

/**
 * Rows may have changed or gone since an interrupted copy: start again with these tables, and those that refer to them. A
 * table follows those that it refers to.
 */
async function clearChanged({ tables }: BulkDatabase): Promise<void> {
  const cleared = new Set<string>();
  for (const { name, growsAtEnd, references } of tables) {
    if (!growsAtEnd || references.some((reference) => cleared.has(reference))) cleared.add(name);
  }
  for (const table of tables.toReversed()) if (cleared.has(table.name)) await table.replace([]);
}

async function copyTable(from: BulkTable, to: BulkTable): Promise<void> {
  let done = await to.count();
  const progress = new Progress(`copying ${from.name}`, await from.count(), done);
  let rows = await from.page(await to.greatestKey(), BATCH);
  while (rows.length > 0) {
    done += rows.length;
    // Reads the next page during the write. The loop's condition leaves no page empty.
    [rows] = await Promise.all([from.page(rows.at(-1)![from.key], BATCH), to.insert(rows)]);
    progress.step(done);
  }
  await to.endInserts();
  progress.end(done);
}

async function verify(from: BulkTable, to: BulkTable, source: string, target: string): Promise<CopiedTable> {
  const progress = new Progress(`comparing ${from.name}`, await from.count());
  const { one, other, difference } = await compareTables(from, to, progress);
  if (difference === undefined) return { name: from.name, ...one };
  // A key other than an id may be secret.
  const place = from.hasIds ? `, first in row ${keyText(difference)}` : '';
  throw new StartError(
    `The ${from.name} of ${target} (${described(other)}) differ from those of ${source} (${described(one)})${place}; copy into an empty database instead.`,
  );
}

function described({ rows, checksum }: Digest): string {
  return `${rows} rows, ${checksum}`;
}

/** The source's sequences, raised to the greatest id that is taken. */
async function sequencesOf({ sequences, tables }: BulkDatabase): Promise<Cells[]> {
  const lasts = new Map((await sequences.page(undefined, ALL)).map(([name, last]) => [name as string, last as bigint]));
  for (const table of tables.filter(({ hasIds }) => hasIds)) {
    const greatest = (await table.greatestKey()) as bigint | undefined;
    const last = lasts.get(table.name) ?? 0n;
    if (greatest !== undefined && greatest > last) lasts.set(table.name, greatest);
  }
  return [...lasts];
}

/** Moving to the copy would lose rows stored in the source since the snapshot. */
async function refuseLaterWrites(pairs: readonly (readonly [BulkTable, BulkTable])[], source: string): Promise<void> {
  for (const [from, to] of pairs) {
    const isSame = from.growsAtEnd
      ? (await from.greatestKey()) === (await to.greatestKey())
      : (await compareTables(from, to)).difference === undefined;
    if (!isSame) throw changedMeanwhile(from.name, source);
  }
}

/** An id that was given to a row since then, which may be gone, would be given again. */
async function refuseLaterIds(source: BulkDatabase, sequences: readonly Cells[]): Promise<void> {
  const copied = new Map(sequences.map(([name, last]) => [name, last]));
  const changed = (await sequencesOf(source)).find(([name, last]) => copied.get(name) !== last);
  if (changed) throw changedMeanwhile(changed[0] as string, source.name);
}

function changedMeanwhile(table: string, source: string): StartError {
  return new StartError(
    `All rows were copied, but ${table} in ${source} changed meanwhile; stop its writers and run this again to copy the changes.`,
  );
}
