/** A statement that stored nothing because of other rows. A feature maps it to its own error; otherwise it is a 500. */
export abstract class Conflict extends Error {}

/** For the log, which has a conflict only when no feature maps it. */
const REMEDY = 'catch this conflict, and throw a DomainError whose status openapi.yaml declares';

/**
 * Another row has the same values in columns that a unique index or constraint covers: the first one, in the order in which
 * the entity declares its columns, that has such a row.
 */
export class UniqueConflict extends Conflict {
  override readonly name = 'UniqueConflict';

  /** `columns` are properties of the entity; empty for an index of expressions. `table` is undefined until that is known. */
  constructor(
    readonly columns: readonly string[],
    table: string | undefined,
    options?: ErrorOptions,
  ) {
    const row = table === undefined ? 'Another row' : `Another row of "${table}"`;
    super(`${row} has the same ${columns.join(', ') || 'values'}; ${REMEDY}`, options);
  }
}

/** A foreign key, by the name of its table and the properties of its columns. */
interface BrokenKey {
  readonly table: string;
  readonly properties: readonly string[];
}

/** The row refers to a row that does not exist, or others refer to the row that should be deleted. */
export class ForeignKeyConflict extends Conflict {
  override readonly name = 'ForeignKeyConflict';
  /** The table with the foreign key: that of the row, or one whose rows refer to it. Undefined like `columns`. */
  readonly table: string | undefined;
  /**
   * The properties of the foreign key. Undefined where that is not known: on PostgreSQL until the transaction has ended, or
   * when no entity declares the foreign key.
   */
  readonly columns: readonly string[] | undefined;

  constructor(key: BrokenKey | undefined, options?: ErrorOptions) {
    super(
      `${key ? `The foreign key ${key.properties.join(', ')} of "${key.table}"` : 'A foreign key'} would refer to no row; ${REMEDY}`,
      options,
    );
    this.table = key?.table;
    this.columns = key?.properties;
  }
}
