/** Too few ids are left for the rows, none of which was stored. */
export class SequenceExhausted extends Error {
  constructor(table: string) {
    super(`"sequences" has no more ids for "${table}"`);
  }
}

/** The database has dropped a row without an error, whose id must not be given to the caller. */
export class RowDropped extends Error {
  constructor(table: string, options?: ErrorOptions) {
    super(
      `A trigger of the table "${table}" has dropped a row; let it raise an error, or drop it by a migration`,
      options,
    );
  }
}
