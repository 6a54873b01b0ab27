import type { DataSource, EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { declaredType } from './declared-type.js';
import { entityError, nameOf } from '../tables/columns/entity-error.js';
import { wholeEntity } from '../tables/columns/shared-tables.js';
import { type ExistingColumn, type ExistingTable, foreignKeyText, columnsText, uniqueText } from './existing-table.js';
import { postgresTables } from './postgres-schema.js';
import { sqliteTables } from './sqlite-schema.js';

/**
 * Throws a StartError when a table differs from its entity although every migration has run: a migration was forgotten, or
 * the table was changed by hand. Without a table or column each request would fail, another type would change values, and
 * without a constraint the rows that it forbids would be stored. What only the table has is accepted if rows can be
 * inserted.
 */
export async function refuseOtherTables(dataSource: DataSource, database: string): Promise<void> {
  // The whole entity of a table has all columns of its other entities.
  const entities = dataSource.entityMetadatas.filter((metadata) => metadata === wholeEntity(metadata));
  const read = dataSource.options.type === 'postgres' ? postgresTables : sqliteTables;
  const tables = await read(
    dataSource,
    entities.map(({ tableName }) => tableName),
  );
  const tableOf = ({ tableName }: EntityMetadata): ExistingTable => tables.get(tableName)!; // one for each name
  // First of all: foreign keys follow a renamed table, and would be reported instead of the missing one.
  for (const metadata of entities) refuseMissing(metadata, tableOf(metadata), database);
  for (const metadata of entities) {
    const table = tableOf(metadata);
    for (const column of metadata.columns) refuseOtherColumn(column, table.columns.get(column.databaseName)!); // it is not missing
    refuseMissingValues(metadata, table);
    refuseSilentConflicts(metadata, table);
    refuseOtherConstraints(metadata, table);
  }
}

function refuseMissing(metadata: EntityMetadata, { columns }: ExistingTable, database: string): void {
  const { name, tableName } = metadata;
  const missing = metadata.columns.find(({ databaseName }) => !columns.has(databaseName));
  if (!missing) return;
  const isTable = columns.size === 0;
  const what = isTable
    ? `the table "${tableName}"`
    : `the column "${missing.databaseName}" of the table "${tableName}"`;
  throw entityError(
    metadata,
    isTable ? undefined : missing.propertyName,
    `The database ${database} lacks ${what} of ${name}; name the migration that adds it in src/data-source.ts, then run "npm run migrate".`,
  );
}

const CHANGE = 'change one of them: the column by a migration that src/data-source.ts names.';

function refuseOtherColumn(column: ColumnMetadata, existing: ExistingColumn): void {
  if (existing.isGenerated) {
    throw entityError(
      column.entityMetadata,
      column.propertyName,
      `The database generates ${nameOf(column)} and refuses other values; remove that by a migration that src/data-source.ts names.`,
    );
  }
  const declared = declaredType(column);
  const isRequired = !column.isNullable;
  if (existing.stores(declared) && existing.isRequired === isRequired) return;
  const [is, was] = [withNull(declared, isRequired), withNull(existing.type, existing.isRequired)];
  throw entityError(
    column.entityMetadata,
    column.propertyName,
    `${nameOf(column)} is ${is}, but ${was} in the database; ${CHANGE}`,
  );
}

const withNull = (type: string, isRequired: boolean): string => `${type}${isRequired ? ' not null' : ''}`;

/** No row could be inserted. */
function refuseMissingValues(metadata: EntityMetadata, { columns }: ExistingTable): void {
  const known = new Set(metadata.columns.map(({ databaseName }) => databaseName));
  const [name] = [...columns].find(([each, it]) => !known.has(each) && it.isRequired && !it.isFilled) ?? [];
  if (name === undefined) return;
  throw entityError(
    metadata,
    undefined,
    `The table "${metadata.tableName}" requires a value for its column "${name}", which ${metadata.name} lacks; declare it there, or let it be null by a migration that src/data-source.ts names.`,
  );
}

function refuseSilentConflicts(metadata: EntityMetadata, { silentConflicts: [found] }: ExistingTable): void {
  if (found === undefined) return;
  throw entityError(
    metadata,
    undefined,
    `The table "${metadata.tableName}" of ${metadata.name} has ${found}, which loses a row without an error; create it without ON CONFLICT by a migration that src/data-source.ts names.`,
  );
}

function refuseOtherConstraints(metadata: EntityMetadata, { key, uniques, foreignKeys, checks }: ExistingTable): void {
  const { name, tableName } = metadata;
  const refuse = (has: string, lacks: string, what: string): never => {
    throw entityError(
      metadata,
      undefined,
      `${has} has ${what}, which ${lacks} lacks; change one of them: the table by a migration that src/data-source.ts names.`,
    );
  };
  const table = `the table "${tableName}"`;
  const declaredKey = columnsText(metadata.primaryColumns.map(({ databaseName }) => databaseName));
  if (key !== declaredKey) refuse(name, table, `the primary key ${declaredKey}`);
  const declaredUniques = [...metadata.uniques, ...metadata.indices.filter(({ isUnique }) => isUnique)].map((it) =>
    uniqueText(
      it.columns.map(({ databaseName }) => databaseName),
      'where' in it && it.where !== undefined ? it.name : undefined,
    ),
  );
  const declaredKeys = new Set(
    metadata.foreignKeys.map(({ columnNames, referencedEntityMetadata, referencedColumnNames, onDelete, onUpdate }) =>
      foreignKeyText({
        columns: columnNames,
        target: referencedEntityMetadata.tableName,
        targetColumns: referencedColumnNames,
        onDelete,
        onUpdate,
      }),
    ),
  );
  for (const it of declaredUniques) if (!uniques.has(it)) refuse(name, table, it);
  for (const it of declaredKeys) if (!foreignKeys.has(it)) refuse(name, table, it);
  // Its action would change rows that the entity says never change.
  for (const it of foreignKeys) if (!declaredKeys.has(it)) refuse(`The table "${tableName}"`, name, it);
  for (const it of metadata.checks) if (!checks.has(it.name)) refuse(name, table, `the check ${it.name}`);
}
