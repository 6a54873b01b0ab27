/** Too few ids are left for the rows, none of which was stored. */
export class SequenceExhausted extends Error {
  constructor(table: string) {
    super(`"sequences" has no more ids for "${table}"`);
  }
}
