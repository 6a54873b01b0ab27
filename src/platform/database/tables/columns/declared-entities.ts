import type { Type } from '@nestjs/common';
import { type DataSource, getMetadataArgsStorage } from 'typeorm';
import { placeInSource } from '../../../process/place-in-source.js';
import { StartError } from '../../../process/start-error.js';
import { COLUMN_TYPES } from './column-codecs.js';
import { entityError } from './entity-error.js';
import { uncalled } from './unsupported-columns.js';

/*
 * What decorators declare, before TypeORM builds its metadata of it: its own errors name no line and no remedy, and each
 * engine refuses other types.
 */

/** Types with a length. */
const LIMITED = new Set<unknown>([String, 'varchar']);
/** Types that both engines have. Those that are refused for another reason, in `unsupported-columns.ts`, are among them. */
const SHARED = new Set<unknown>([
  ...LIMITED,
  'text',
  Number,
  Boolean,
  Date,
  'bigint',
  'int',
  'integer',
  'boolean',
  'double precision',
  'numeric',
  'decimal',
  'json',
  'simple-json',
  'simple-array',
]);

/** Throws a StartError for what TypeORM, or one of the engines, would refuse in the entities of a DataSource. */
export function refuseDeclarations(dataSource: DataSource): void {
  const listed = listedIn(dataSource);
  const storage = getMetadataArgsStorage();
  for (const entity of listed) {
    refuseWithoutKey(entity);
    refuseArguments(entity);
    for (const { propertyName, options, mode } of storage.filterColumns(basesOf(entity))) {
      const { type, length = '' } = options;
      if (mode !== 'regular' || type === undefined) continue;
      const name = `${entity.name}.${propertyName}`;
      const sentence = refusalOf(name, options.enum === undefined ? type : 'enum', length);
      if (sentence !== undefined) throw entityError(entity, propertyName, sentence);
    }
    for (const { type, propertyName } of storage.filterForeignKeys(basesOf(entity))) {
      const other: unknown = typeof type === 'function' ? (type as () => unknown)() : undefined;
      if (typeof other !== 'function' || listed.length < entriesOf(dataSource).length || listed.includes(other as Type))
        continue;
      throw entityError(
        entity,
        propertyName,
        `${entity.name} refers to ${other.name}, which is no entity of the DataSource; add it to "entities" in src/data-source.ts.`,
      );
    }
  }
}

/** A view has none, and neither may an entity with columns of another kind; both are refused later. */
function refuseWithoutKey(entity: Type<object>): void {
  const storage = getMetadataArgsStorage();
  const bases = basesOf(entity);
  const isTable = storage.filterTables(entity).some(({ type }) => type === 'regular');
  const others = [storage.filterEmbeddeds(bases), storage.filterRelations(bases)];
  if (!isTable || others.some(({ length }) => length > 0)) return;
  if (storage.filterColumns(bases).some(({ options }) => options.primary)) return;
  throw entityError(entity, undefined, `${entity.name} has no primary column; declare its id @PrimaryColumn(INT64).`);
}

/** TypeORM makes one of each entity. */
function refuseArguments(entity: Type<object>): void {
  try {
    Reflect.construct(entity, []);
  } catch (error) {
    throw entityError(
      entity,
      undefined,
      `${entity.name} fails when it is made without arguments (${String(error)}); remove its constructor: rows are made without it.`,
    );
  }
}

/**
 * Throws a StartError for an entity in the sources that none of the DataSources lists: if only transactions use it, nothing
 * else misses it before the first request.
 */
export function refuseUnlisted(dataSources: readonly DataSource[]): void {
  refuseUncalled(dataSources);
  const listed = dataSources.flatMap(listedIn);
  if (listed.length < dataSources.flatMap(entriesOf).length) return;
  for (const { target } of getMetadataArgsStorage().tables) {
    if (typeof target !== 'function' || listed.some((it) => it === target || it.prototype instanceof target)) continue;
    // Those of packages have a DataSource of their own.
    if (placeInSource(target.name) !== undefined) throw unlisted(target.name);
  }
}

/** The same for a subscriber, which nothing would call. */
function refuseUncalled(dataSources: readonly DataSource[]): void {
  const listed = new Set(dataSources.flatMap(({ options }): unknown[] => Object.values(options.subscribers ?? {})));
  for (const { target } of getMetadataArgsStorage().entitySubscribers) {
    if (!listed.has(target) && placeInSource(target.name) !== undefined) throw uncalled(target.name);
  }
}

export function unlisted(name: string): StartError {
  return entityError(
    { name },
    undefined,
    `${name} is not an entity of the DataSource; add it to "entities" in src/data-source.ts, or let a module provide the DataSource that lists it.`,
  );
}

function refusalOf(name: string, type: unknown, length: string | number): string | undefined {
  if (type === 'enum' || type === 'simple-enum')
    return `Tables ignore an enum of ${name}; give the column the type varchar: the contract checks the values.`;
  if (typeof type === 'function' && !SHARED.has(type))
    return `The type of ${name} in the code does not determine what its column holds; give @Column a type: ${COLUMN_TYPES}.`;
  if (!SHARED.has(type))
    return `The type "${String(type)}" of ${name} differs between SQLite and PostgreSQL; use ${COLUMN_TYPES}.`;
  if (length === '' || LIMITED.has(type)) return undefined;
  if (type === 'text') return `${name} has "length", which only varchar limits; give the column that type.`;
  return `${name} has "length", which means nothing for its type; remove it.`;
}

const entriesOf = ({ options }: DataSource): unknown[] => Object.values(options.entities ?? {});

/** Those that are listed as classes, not by the names of files. */
function listedIn(dataSource: DataSource): Type<object>[] {
  return entriesOf(dataSource).filter((entry): entry is Type<object> => typeof entry === 'function');
}

/** A class and those that it extends. */
function basesOf(entity: Type<object>): Function[] {
  const base: unknown = Object.getPrototypeOf(entity);
  return base === Function.prototype ? [entity] : [entity, ...basesOf(base as Type<object>)];
}
