import type { EntityMetadata } from 'typeorm';
import { wholeEntity } from './shared-tables.js';

export interface UniqueKey {
  /** The database's names of its columns. */
  readonly names: readonly string[];
  /** The properties of this entity, or of the one that declares all of the table. */
  readonly properties: readonly string[];
}

/**
 * What no two rows of a table may share, in the order in which the entity declares its columns: the first key with a
 * conflict is reported. Without unique indexes of some rows, whose condition only the database knows.
 */
export function uniqueKeysOf(metadata: EntityMetadata): UniqueKey[] {
  const whole = wholeEntity(metadata);
  const { uniques, indices, columns } = whole;
  const all = [...uniques, ...indices.filter(({ isUnique, where }) => isUnique && where === undefined)];
  const keys = all.map((key) => ({
    names: key.columns.map(({ databaseName }) => databaseName),
    properties: key.columns.map(({ databaseName, propertyName }) => {
      const own = metadata.columns.find((column) => column.databaseName === databaseName);
      return own?.propertyName ?? propertyName;
    }),
    positions: key.columns.map((column) => columns.indexOf(column)),
  }));
  return keys.toSorted(byPositions);
}

interface Placed {
  /** Those of its columns. */
  readonly positions: readonly number[];
}

/** By the first position that differs; the start of a list comes before the whole list. */
export function byPositions({ positions: one }: Placed, { positions: other }: Placed): number {
  const at = one.findIndex((position, index) => position !== other[index]);
  return at < 0 ? one.length - other.length : one[at]! - (other[at] ?? -1); // `at` is a position of `one`
}
