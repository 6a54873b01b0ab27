import { BaseEntity, type DataSource, type EntityMetadata, getMetadataArgsStorage } from 'typeorm';
import type { Driver } from 'typeorm/driver/Driver.js';
import { INT64 } from '../../../values/int64.column.js';
import type { StartError } from '../../../process/start-error.js';
import { isAppendOnly } from './append-only.decorator.js';
import { entityError, nameOf } from './entity-error.js';

type Column = EntityMetadata['columns'][number];

/** Actions of a foreign key that change or remove the rows that have it. */
const CHANGING = new Set(['CASCADE', 'SET NULL', 'SET DEFAULT']);
/** Those of them after which a required column would lack a value. */
const RESETTING = new Set(['SET NULL', 'SET DEFAULT']);

const SET = 'set the value in the service';
const REMOVE = 'remove it';
const IN_SOURCE = 'write it as a comment in the source';

/** What TypeORM's repositories would do for a column, and tables do not, and what to do instead. */
const UNSUPPORTED: readonly (readonly [string, (column: Column) => boolean, string])[] = [
  ['a generated value', (it) => it.isGenerated || it.generatedType !== undefined, SET],
  ['a date that TypeORM sets', (it) => it.isCreateDate || it.isUpdateDate || it.isDeleteDate, SET],
  ['a version', (it) => it.isVersion, SET],
  ['a default', (it) => it.default !== undefined, SET],
  ['an array', (it) => it.isArray || it.type === 'simple-array', 'store the list as simple-json'],
  ['an enum', (it) => it.enum !== undefined, 'give the column the type varchar: the contract checks the values'],
  ['a collation', (it) => it.collation !== undefined, REMOVE],
  ['"charset"', (it) => it.charset !== undefined, REMOVE],
  ['"utc"', (it) => it.utc, REMOVE],
  ['"unsigned"', (it) => it.unsigned, REMOVE],
  ['"comment"', (it) => it.comment !== undefined, IN_SOURCE],
  ['"primaryKeyConstraintName"', (it) => it.primaryKeyConstraintName !== undefined, REMOVE],
  ['"onUpdate"', (it) => it.onUpdate !== undefined, SET],
  // Before what TypeORM sets for it.
  ['a virtual value', (it) => it.isVirtual || it.isVirtualProperty, SET],
  ['select, insert or update', (it) => !it.isSelect || !it.isInsert || !it.isUpdate, SET],
  ['an embedded entity', (it) => it.embeddedMetadata !== undefined, 'declare its columns here'],
];

/** What an entity may declare beside its columns, which tables or SQLite do not honour, and what to do instead. */
const IGNORED: readonly (readonly [string, (entity: EntityMetadata) => boolean, string])[] = [
  ['a schema', (it) => it.schema !== undefined, 'remove it, and name the schema in the search_path of the user'],
  ['a database', (it) => it.database !== undefined, 'remove it, and name the database in DATABASE_URL'],
  ['a comment', (it) => it.comment !== undefined, IN_SOURCE],
  ['an order', (it) => Object.keys(it.orderBy ?? {}).length > 0, 'remove orderBy, and give it to each page'],
  ['@Exclusion', hasExclusions, 'remove it: SQLite has none; check it in a transaction'],
  ['a deferrable constraint', hasDeferrable, 'remove "deferrable": both engines check at each statement without it'],
  [
    'the name of a check',
    (it) => it.checks.some(({ givenName }) => givenName !== undefined),
    'remove it: the name that TypeORM gives follows the expression, so that a start notices another one in the database',
  ],
  [
    'the name of a unique index with "where"',
    (it) =>
      it.indices.some(({ givenName, isUnique, where }) => isUnique && where !== undefined && givenName !== undefined),
    'remove it: the name that TypeORM gives follows the condition, so that a start notices another one in the database',
  ],
  [
    '"spatial", "fulltext", "nullFiltered", "sparse", "background", "parser" or "expireAfterSeconds" in an index',
    (it) => it.indices.some(hasIgnoredOption),
    'remove that option: SQLite and PostgreSQL share none of them',
  ],
  ['a view', (it) => it.tableType === 'view', 'declare a table'],
  ['an engine', (it) => it.engine !== undefined, 'remove it: neither SQLite nor PostgreSQL has any'],
  ['a tree', (it) => it.treeType !== undefined, 'remove @Tree, and add a column with the id of the parent'],
  ['inheritance', (it) => it.inheritancePattern !== undefined, 'remove it, and declare an entity for each table'],
];

/** Throws a StartError for anything in an entity that a table would ignore. */
export function refuseUnsupported(metadata: EntityMetadata): void {
  const { name, columns, relations, listeners, foreignKeys, target } = metadata;
  if (typeof target === 'function' && target.prototype instanceof BaseEntity) {
    throw entityError(
      metadata,
      undefined,
      `${name} extends BaseEntity, which rounds int64 on SQLite; remove that, and inject its table.`,
    );
  }
  const ignored = IGNORED.find(([, isUsed]) => isUsed(metadata));
  if (ignored) throw entityError(metadata, undefined, `Tables do not support ${ignored[0]} of ${name}; ${ignored[2]}.`);
  const key = isAppendOnly(metadata)
    ? foreignKeys.find(({ onDelete = '', onUpdate = '' }) => CHANGING.has(onDelete) || CHANGING.has(onUpdate))
    : undefined;
  if (key) {
    throw entityError(
      metadata,
      key.columns[0]?.propertyName,
      `Rows of ${name} never change, but the foreign key of "${key.columnNames.join()}" would change or remove them; remove @AppendOnly() or its action.`,
    );
  }
  for (const { columns: own, onDelete, onUpdate } of foreignKeys) {
    const action = [onDelete, onUpdate].find((it) => it !== undefined && RESETTING.has(it));
    const required = action === undefined ? undefined : own.find((it) => !it.isNullable);
    if (!required) continue;
    const value = action === 'SET NULL' ? 'null, which it never is' : 'its default, and entities have none';
    throw entityError(
      metadata,
      required.propertyName,
      `The foreign key of ${nameOf(required)} would set it to ${value}; make it nullable, or choose another action.`,
    );
  }
  const [relation] = relations;
  if (relation) {
    throw entityError(
      metadata,
      relation.propertyName,
      `Tables do not load relations; replace ${name}.${relation.propertyName} by a column with the id, and @ForeignKey.`,
    );
  }
  const [listener] = listeners;
  if (listener) {
    throw entityError(
      metadata,
      listener.propertyName,
      `Tables call no listeners; move ${name}.${listener.propertyName} into the service.`,
    );
  }
  for (const column of columns) {
    const found = UNSUPPORTED.find(([, isUsed]) => isUsed(column));
    if (!found) continue;
    throw entityError(metadata, column.propertyName, `Tables ignore ${found[0]} of ${nameOf(column)}; ${found[2]}.`);
  }
}

function hasIgnoredOption(index: EntityMetadata['indices'][number]): boolean {
  const { isSpatial, isFulltext, isNullFiltered, isSparse, isBackground, parser, expireAfterSeconds } = index;
  const flags = [isSpatial, isFulltext, isNullFiltered, isSparse, isBackground];
  return flags.includes(true) || parser !== undefined || expireAfterSeconds !== undefined;
}

function hasDeferrable({ uniques, foreignKeys }: EntityMetadata): boolean {
  return [...uniques, ...foreignKeys].some(({ deferrable }) => deferrable !== undefined);
}

/** On SQLite, TypeORM's metadata lacks those of decorators. */
function hasExclusions({ exclusions, inheritanceTree }: EntityMetadata): boolean {
  return exclusions.length > 0 || getMetadataArgsStorage().filterExclusions(inheritanceTree).length > 0;
}

/** Bytes of UTF-8 in a name; PostgreSQL cuts a longer one. */
const LONGEST_NAME = 63;

/** Throws a StartError for a name that breaks statements, or that PostgreSQL would cut. */
export function refuseNames(metadata: EntityMetadata): void {
  refuseName(metadata, undefined, `The table of ${metadata.name}`, metadata.tableName);
  for (const column of metadata.columns)
    refuseName(metadata, column.propertyName, `The column of ${nameOf(column)}`, column.databaseName);
}

function refuseName(metadata: EntityMetadata, property: string | undefined, what: string, name: string): void {
  if (/["'\0]/.test(name)) throw entityError(metadata, property, `${what} has a quote or NUL in its name; rename it.`);
  const bytes = Buffer.byteLength(name);
  if (bytes <= LONGEST_NAME) return;
  throw entityError(
    metadata,
    property,
    `${what} has a name of ${bytes} bytes, which PostgreSQL cuts to ${LONGEST_NAME}; shorten it.`,
  );
}

/** The refusal of a subscriber: TypeORM's repositories would call it, and tables do not. */
export function uncalled(name: string): StartError {
  return entityError({ name }, undefined, `Tables call no subscribers; move ${name} into the service.`);
}

/** Throws a StartError for a subscriber. */
export function refuseSubscribers({ subscribers }: DataSource): void {
  const [subscriber] = subscribers;
  if (subscriber) throw uncalled(subscriber.constructor.name);
}

/** Rows are found by their id, which is an int64 on both engines. A table without an id is only copied. */
export function refuseOtherIds(metadata: EntityMetadata, driver: Driver): void {
  const id = metadata.columns.find(({ propertyName }) => propertyName === 'id');
  if (!id) return;
  if (id.transformer && id.transformer !== INT64.transformer) {
    throw entityError(metadata, 'id', `${nameOf(id)} is found as it is stored; remove its transformer.`);
  }
  if (id.databaseName !== 'id') {
    throw entityError(metadata, 'id', `${nameOf(id)} is named "${id.databaseName}" in the database; name it "id".`);
  }
  const isKey = id.isPrimary && metadata.primaryColumns.length === 1;
  if (isKey && driver.normalizeType(id) === 'bigint') return;
  throw entityError(
    metadata,
    'id',
    `${nameOf(id)} must be its only primary column, of int64; declare it @PrimaryColumn(INT64).`,
  );
}
