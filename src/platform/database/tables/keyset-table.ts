import type { Type } from '@nestjs/common';
import type { Conditions } from './conditions.js';

/** A row without the columns that are null. */
export type Row<Entity> = {
  [Column in keyof Entity as null extends Entity[Column] ? never : Column]: Entity[Column];
} & {
  [Column in keyof Entity as null extends Entity[Column] ? Column : never]?: NonNullable<Entity[Column]>;
};

/** A column that is null may be left out. */
export type NewRow<Entity> = {
  [
    Column in keyof Entity as Column extends 'id' ? never : null extends Entity[Column] ? never : Column
  ]: Entity[Column];
} & {
  [Column in keyof Entity as null extends Entity[Column] ? Column : never]?: Entity[Column] | undefined;
};

/** New values; null clears a column, and undefined leaves it as it is. */
export type Changes<Entity> = { readonly [Column in Exclude<keyof Entity, 'id'>]?: Entity[Column] | undefined };

export interface PageRequest<Entity> {
  /** The smallest id of the page; the table's first one when absent. */
  readonly from?: bigint;
  readonly where: Conditions<Entity>;
  readonly limit: number;
  readonly orderBy?: undefined;
}

/** A page in the order of another column, and of the ids of rows with the same value. */
export interface OrderedPageRequest<Entity> {
  readonly orderBy: {
    /** Never null, and covered by an index: after the columns for which `where` has a single value, if any. */
    readonly column: keyof Entity & string;
    readonly descending?: boolean;
  };
  /** The first row of the page, or its id and the value of that column. */
  readonly from?: Partial<Row<Entity>> & { readonly id: bigint };
  readonly where: Conditions<Entity>;
  readonly limit: number;
}

/**
 * The rows of an entity, read by keyset, inserted, changed and deleted, with prepared statements made from TypeORM's
 * metadata: int64 exact, and without the query building and hydration that a repository does for every request. Each
 * method throws DatabaseUnavailable when the database cannot work now, and a Conflict when other rows forbid the change.
 */
export interface KeysetTable<Entity extends { id: bigint }> {
  /** In ascending order of id, unless the request has another order. */
  page(request: PageRequest<Entity> | OrderedPageRequest<Entity>): Promise<Row<Entity>[]>;
  find(id: bigint): Promise<Row<Entity> | undefined>;
  /** Resolves with the id when the row is durable. Concurrent inserts share a commit. */
  insert(row: NewRow<Entity>): Promise<bigint>;
  /** Resolves when the change is durable; false if no row with this id meets the conditions. Rejects if @AppendOnly. */
  update(id: bigint, changes: Changes<Entity>, where?: Conditions<Entity>): Promise<boolean>;
  /** Resolves when it is durably gone; false if no row with this id meets the conditions. Rejects if @AppendOnly. */
  delete(id: bigint, where?: Conditions<Entity>): Promise<boolean>;
}

const tokens = new WeakMap<Type<object>, string>();
/** How many entities have the same name. */
const named = new Map<string, number>();

/** The injection token of an entity's table. Classes of different features may have the same name. */
export function tableToken(entity: Type<object>): string {
  const known = tokens.get(entity);
  if (known !== undefined) return known;
  const { name } = entity;
  const count = (named.get(name) ?? 0) + 1;
  const token = `KeysetTable<${count === 1 ? name : `${name} ${count}`}>`;
  named.set(name, count);
  tokens.set(entity, token);
  return token;
}
