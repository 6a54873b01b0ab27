/** A statement that stored nothing because of other rows. A feature maps it to its own error; otherwise it is a 500. */
export abstract class Conflict extends Error {}

/** Another row has the same values in columns that a unique index or constraint covers. */
export class UniqueConflict extends Conflict {
  override readonly name = 'UniqueConflict';

  /** `columns` is empty for an index of expressions. */
  constructor(
    readonly columns: readonly string[],
    options?: ErrorOptions,
  ) {
    super(`Another row has the same ${columns.join(', ') || 'values'}`, options);
  }
}

/** The row refers to a row that does not exist, or others refer to the row that should be deleted. */
export class ForeignKeyConflict extends Conflict {
  override readonly name = 'ForeignKeyConflict';

  constructor(options?: ErrorOptions) {
    super('A foreign key would refer to no row', options);
  }
}
