import type { Type } from '@nestjs/common';

/** A row without the columns that are null. */
export type Row<Entity> = {
  [Column in keyof Entity as null extends Entity[Column] ? never : Column]: Entity[Column];
} & {
  [Column in keyof Entity as null extends Entity[Column] ? Column : never]?: NonNullable<Entity[Column]>;
};

export interface PageRequest<Entity> {
  /** The smallest id of the page; the table's first one when absent. */
  readonly from?: bigint;
  /** Values that the rows must have; undefined ones do not filter. */
  readonly where: Partial<Row<Entity>>;
  readonly limit: number;
}

/**
 * The rows of an entity, read by keyset and inserted, with prepared statements made from TypeORM's metadata: int64 exact,
 * and without the query building and hydration that a repository does for every request. It cannot change or remove a
 * row, and reads from standbys rely on that. Each method throws DatabaseUnavailable when the database cannot work now.
 */
export interface KeysetTable<Entity extends { id: bigint }> {
  /** In ascending order of id. */
  page(request: PageRequest<Entity>): Promise<Row<Entity>[]>;
  find(id: bigint): Promise<Row<Entity> | undefined>;
  /** Resolves with the id when the row is durable. Concurrent inserts share a commit. */
  insert(row: Omit<Row<Entity>, 'id'>): Promise<bigint>;
}

/** The injection token of an entity's table. */
export function tableToken(entity: Type<object>): string {
  return `KeysetTable<${entity.name}>`;
}
