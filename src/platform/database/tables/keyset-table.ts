import type { Type } from '@nestjs/common';

/** A row as the code sees it: a column that holds null is left out. */
export type Row<Entity> = {
  [Column in keyof Entity as null extends Entity[Column] ? never : Column]: Entity[Column];
} & {
  [Column in keyof Entity as null extends Entity[Column] ? Column : never]?: NonNullable<Entity[Column]>;
};

export interface PageRequest<Entity> {
  /** The smallest id that may be on the page; from the very first one when absent. */
  readonly from?: bigint;
  /** Rows must equal each of these that is not undefined. */
  readonly where: Partial<Row<Entity>>;
  readonly limit: number;
}

/**
 * The rows of an entity, by prepared statements made from TypeORM's metadata: int64 exact, and without the entity
 * hydration and query building that a repository does for every request. Rows are never changed nor removed, which
 * standbys rely on. Each method throws DatabaseUnavailable when the database cannot do its work now.
 */
export interface Table<Entity extends { id: bigint }> {
  /** In ascending order of id. */
  page(request: PageRequest<Entity>): Promise<Row<Entity>[]>;
  find(id: bigint): Promise<Row<Entity> | undefined>;
  /** Resolves when the row is durable, with its id. Rows that arrive together are committed together. */
  insert(row: Omit<Row<Entity>, 'id'>): Promise<bigint>;
}

/** The injection token of an entity's table. */
export function tableToken(entity: Type<object>): string {
  return `Table<${entity.name}>`;
}
