import type { DataSource, EntityTarget } from 'typeorm';
import { isAppendOnly } from './append-only.decorator.js';
import { type ColumnKind, kindOf } from './column-codecs.js';
import { unlisted } from './declared-entities.js';
import { cascadesOf, type ForeignKey, foreignKeysOf, type ReferringKey, referringKeysOf } from './foreign-keys.js';
import { refuseMeaningless } from './meaningless-options.js';
import { refuseOtherMembers } from './other-members.js';
import { hasAppendOnlyTable, indexesOf, refuseContradictions, wholeEntity } from './shared-tables.js';
import { type UniqueKey, uniqueKeysOf } from './unique-keys.js';
import { refuseNames, refuseOtherIds, refuseUnsupported } from './unsupported-columns.js';

export interface TableColumn extends ColumnKind {
  readonly name: string;
  readonly property: string;
  /** The database's name of the type. */
  readonly type: string;
  readonly isNullable: boolean;
}

/** The cells of a row. */
export type Cells = readonly unknown[];

export interface TableDescription {
  readonly name: string;
  /** The name of its class. */
  readonly entity: string;
  readonly columns: readonly TableColumn[];
  /** All columns but the id. */
  readonly stored: readonly TableColumn[];
  /** Their properties. */
  readonly properties: ReadonlySet<string>;
  /** The quoted column names, separated by commas. */
  readonly columnList: string;
  /** Whether nothing changes rows of the table: each entity over it says so. */
  readonly isAppendOnly: boolean;
  /** Whether this entity may change rows. */
  readonly mayChange: boolean;
  /** The tables whose rows the database deletes with those of this one. */
  readonly cascades: readonly string[];
  /** The properties of the key and of each index, in its order; undefined for columns that this entity lacks. */
  readonly indexes: readonly (readonly (string | undefined)[])[];
  readonly uniqueKeys: readonly UniqueKey[];
  readonly checks: readonly { readonly name: string; readonly expression: string }[];
  readonly foreignKeys: readonly ForeignKey[];
  /** The foreign keys that may forbid to delete a row. */
  readonly deletionKeys: readonly ReferringKey[];
  /** The foreign keys that may forbid to change what rows refer to. */
  readonly updateKeys: readonly ReferringKey[];
}

/** Reads an entity's table and columns from TypeORM's metadata. Throws a StartError for what the tables do not support. */
export function describeTable(dataSource: DataSource, entity: EntityTarget<object>): TableDescription {
  if (!dataSource.hasMetadata(entity)) throw unlisted(typeof entity === 'function' ? entity.name : 'An entity');
  const metadata = dataSource.getMetadata(entity);
  refuseUnsupported(metadata);
  refuseNames(metadata);
  refuseOtherMembers(metadata);
  refuseOtherIds(metadata, dataSource.driver);
  refuseContradictions(metadata);
  const isPostgres = dataSource.options.type === 'postgres';
  const columns = metadata.columns.map((column) => {
    const type = dataSource.driver.normalizeType(column);
    return {
      name: column.databaseName,
      property: column.propertyName,
      type,
      isNullable: column.isNullable,
      ...kindOf(column, type, isPostgres),
    };
  });
  // After the types themselves have been refused.
  refuseMeaningless(metadata);
  const stored = columns.filter(({ property }) => property !== 'id');
  return {
    name: metadata.tableName,
    entity: metadata.name,
    columns,
    stored,
    properties: new Set(stored.map(({ property }) => property)),
    columnList: columns.map(({ name }) => quote(name)).join(', '),
    isAppendOnly: hasAppendOnlyTable(metadata),
    mayChange: !isAppendOnly(metadata),
    cascades: cascadesOf(metadata),
    indexes: indexesOf(metadata),
    uniqueKeys: uniqueKeysOf(metadata),
    checks: wholeEntity(metadata).checks,
    foreignKeys: foreignKeysOf(metadata),
    deletionKeys: referringKeysOf(metadata, 'onDelete'),
    updateKeys: referringKeysOf(metadata, 'onUpdate'),
  };
}

export function quote(identifier: string): string {
  return `"${identifier}"`;
}

/** The column of a property; names of columns reach a statement only from here. */
export function columnOf({ name, columns }: TableDescription, property: string): TableColumn {
  const column = columns.find((each) => each.property === property);
  if (!column) throw new Error(`"${name}" has no column for the property "${property}"`);
  return column;
}

export function assertMayChange(table: TableDescription): void {
  if (table.mayChange) return;
  throw new Error(`Rows of "${table.name}" never change; remove @AppendOnly() from its entity to allow it`);
}

/**
 * The cells of a new row, in the order of the columns but the id. They hold what the row has now: the caller may change it
 * before they are stored. Throws for values that no column would store.
 */
export function cellsOf(table: TableDescription, row: object): Cells {
  const { name, stored, properties } = table;
  const values = row as Readonly<Record<string, unknown>>;
  for (const property in values) {
    if (properties.has(property) || values[property] === undefined) continue;
    if (property === 'id') throw new Error(`"${name}" gives a new row its id; insert the row without it`);
    throw new Error(`"${name}" has no column for the property "${property}"`);
  }
  return stored.map((column) => cellOf(column, values[column.property]));
}

/** The names of the columns to change, and their new cells. An id stays what it is: another one could have been used before. */
export function changesOf(
  table: TableDescription,
  id: bigint,
  changes: object,
): { readonly names: readonly string[]; readonly cells: Cells } {
  const values = changes as Readonly<Record<string, unknown>>;
  for (const property in values) {
    const value = values[property];
    if (value === undefined || (property === 'id' && value === id)) continue;
    if (property === 'id') throw new Error(`The id of a row of "${table.name}" never changes`);
    columnOf(table, property);
  }
  const names: string[] = [];
  const cells: unknown[] = [];
  // Not only the members above: a class may have accessors, which an insert reads as well.
  for (const column of table.stored) {
    const value = values[column.property];
    if (value === undefined) continue;
    names.push(column.name);
    cells.push(cellOf(column, value));
  }
  return { names, cells };
}

/** The cell to store for a value, where undefined means null. */
export function cellOf({ codec }: TableColumn, value: unknown): unknown {
  const cell = value ?? null;
  return codec && (cell !== null || codec.takesNull) ? codec.write(cell) : cell;
}

/** The row of an entity, from the cells of all its columns in their order. */
export function rowOf(columns: readonly TableColumn[], cells: Cells): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < cells.length; index += 1) {
    // A cell for each column.
    const { property, codec } = columns[index]!;
    const cell = cells[index];
    if (!codec?.read) {
      if (cell !== null) row[property] = cell;
    } else if (cell !== null || codec.takesNull) {
      const value = codec.read(cell);
      if (value !== null && value !== undefined) row[property] = value;
    }
  }
  return row;
}
