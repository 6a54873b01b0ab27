import type { EntityMetadata } from 'typeorm';
import { isAppendOnly } from './append-only.decorator.js';
import { entityError, nameOf } from './entity-error.js';

/*
 * A feature that needs rows of another one declares an entity of its own over that table, with the columns that it needs.
 * One entity of each table is whole: it declares all columns, indexes and constraints, for migrations and copies.
 */

type Column = EntityMetadata['columns'][number];

function entitiesOver({ dataSource, tableName }: EntityMetadata): EntityMetadata[] {
  return dataSource.entityMetadatas.filter((other) => other.tableName === tableName);
}

/** The entity that declares all of the table. */
export function wholeEntity(metadata: EntityMetadata): EntityMetadata {
  return entitiesOver(metadata).find(({ synchronize }) => synchronize) ?? metadata;
}

/** Whether no entity of the table may change its rows. */
export function hasAppendOnlyTable(metadata: EntityMetadata): boolean {
  return entitiesOver(metadata).every(isAppendOnly);
}

/**
 * The properties of the key and of each index of the table, in its order, as this entity names them; undefined for columns
 * that it lacks.
 */
export function indexesOf(metadata: EntityMetadata): (string | undefined)[][] {
  const { indices, uniques } = wholeEntity(metadata);
  const propertyOf = ({ databaseName }: Column) =>
    metadata.columns.find((column) => column.databaseName === databaseName)?.propertyName;
  const key = { columns: metadata.primaryColumns };
  return [key, ...indices, ...uniques].map(({ columns }) => columns.map(propertyOf));
}

/** Throws a StartError when entities of one table contradict each other. */
export function refuseContradictions(metadata: EntityMetadata): void {
  const { name, tableName } = metadata;
  const entities = entitiesOver(metadata);
  if (entities.length === 1) return;
  const [whole, second] = entities.filter(({ synchronize }) => synchronize);
  if (!whole || second) {
    const names = entities.map((entity) => entity.name).join(' and ');
    throw entityError(
      metadata,
      undefined,
      `${names} share the table "${tableName}"; give all but the one with all of its columns "synchronize: false".`,
    );
  }
  if (whole === metadata) return;
  const { indices, uniques, foreignKeys, checks, exclusions } = metadata;
  if ([indices, uniques, foreignKeys, checks, exclusions].some(({ length }) => length > 0)) {
    throw entityError(
      metadata,
      undefined,
      `${name} shares the table "${tableName}"; declare its indexes and constraints in ${whole.name}.`,
    );
  }
  for (const column of metadata.columns) {
    const original = whole.columns.find(({ databaseName }) => databaseName === column.databaseName);
    if (original && isDeclaredAs(column, original)) continue;
    throw entityError(
      metadata,
      column.propertyName,
      `${nameOf(column)} must be a column of ${whole.name}, which shares the table "${tableName}"; declare it there in the same way.`,
    );
  }
}

/** Whether both convert the same values to the same cells. */
function isDeclaredAs(column: Column, original: Column): boolean {
  const { driver } = column.entityMetadata.dataSource;
  const traits = (it: Column) => [
    driver.normalizeType(it),
    it.isNullable,
    it.isPrimary,
    it.length,
    it.precision,
    it.scale,
  ];
  const isSame = (value: unknown, at: number) => value === traits(original)[at];
  return traits(column).every(isSame) && column.type === original.type && column.transformer === original.transformer;
}
