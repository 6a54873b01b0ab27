import type { EntityMetadata } from 'typeorm';
import { wholeEntity } from './shared-tables.js';
import { byPositions } from './unique-keys.js';

type KeyMetadata = EntityMetadata['foreignKeys'][number];

/** A foreign key, with the database's names of tables and columns. */
export interface ForeignKey {
  readonly table: string;
  readonly names: readonly string[];
  /** The properties of its columns. */
  readonly properties: readonly string[];
  /** The table to which it refers. */
  readonly target: string;
  readonly targetNames: readonly string[];
}

/** A foreign key that forbids a change of a row to which others refer. */
export interface ReferringKey {
  readonly key: ForeignKey;
  /** The foreign keys by which rows are deleted as well, beginning with one that refers to the row itself. */
  readonly through: readonly ForeignKey[];
}

/** Those of the table, in the order in which the entity declares their columns. */
export function foreignKeysOf(metadata: EntityMetadata): ForeignKey[] {
  const whole = wholeEntity(metadata);
  const keys = whole.foreignKeys.map((key) => ({
    key: keyOf(key, metadata),
    positions: key.columns.map((column) => whole.columns.indexOf(column)),
  }));
  return keys.toSorted(byPositions).map(({ key }) => key);
}

/** Those that may forbid to delete a row of the table, or to change what rows refer to. */
export function referringKeysOf(
  { dataSource, tableName }: EntityMetadata,
  event: 'onDelete' | 'onUpdate',
): ReferringKey[] {
  const all = dataSource.entityMetadatas.flatMap(({ foreignKeys }) => foreignKeys);
  const found: ReferringKey[] = [];
  const deleted = new Set<string>();
  const visit = (target: string, through: readonly ForeignKey[]): void => {
    for (const each of all.filter(({ referencedEntityMetadata }) => referencedEntityMetadata.tableName === target)) {
      const key = keyOf(each, each.entityMetadata);
      const action = each[event] ?? 'NO ACTION';
      if (action === 'CASCADE' && event === 'onDelete' && !deleted.has(key.table)) {
        deleted.add(key.table);
        visit(key.table, [...through, key]);
      }
      if (action === 'NO ACTION' || action === 'RESTRICT') found.push({ key, through });
    }
  };
  visit(tableName, []);
  // A row of such a table may be deleted as well, and then forbids nothing.
  return found.filter(({ key }) => !deleted.has(key.table));
}

/** `named` names the properties. */
function keyOf(key: KeyMetadata, named: EntityMetadata): ForeignKey {
  const { columns, entityMetadata, referencedColumns, referencedEntityMetadata } = key;
  const propertyOf = ({ databaseName, propertyName }: EntityMetadata['columns'][number]) =>
    named.columns.find((column) => column.databaseName === databaseName)?.propertyName ?? propertyName;
  return {
    table: entityMetadata.tableName,
    names: columns.map(({ databaseName }) => databaseName),
    properties: columns.map(propertyOf),
    target: referencedEntityMetadata.tableName,
    targetNames: referencedColumns.map(({ databaseName }) => databaseName),
  };
}

/**
 * The names of the tables with ids whose rows the database deletes together with rows of this one, across any number of
 * foreign keys. May contain the table itself.
 */
export function cascadesOf({ dataSource, tableName }: EntityMetadata): string[] {
  const reached = new Map<string, EntityMetadata>();
  const names = [tableName];
  // The loop also takes the names that it adds.
  for (const name of names) {
    const deleted = dataSource.entityMetadatas.filter(
      (entity) => !reached.has(entity.tableName) && entity.foreignKeys.some((key) => cascadesFrom(name, key)),
    );
    for (const entity of deleted) {
      reached.set(entity.tableName, entity);
      names.push(entity.tableName);
    }
  }
  return [...reached].filter(([, entity]) => hasId(entity)).map(([name]) => name);
}

function cascadesFrom(name: string, { onDelete, referencedEntityMetadata }: KeyMetadata): boolean {
  return onDelete === 'CASCADE' && referencedEntityMetadata.tableName === name;
}

const hasId = ({ columns }: EntityMetadata): boolean => columns.some(({ propertyName }) => propertyName === 'id');
