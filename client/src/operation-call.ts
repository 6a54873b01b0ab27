/**
 * How to read the numbers of a JSON value, which does not distinguish them: `int64` is a bigint, `double` a number. Without
 * either, an integer is a number where that is exact, and a bigint beyond 2^53 - 1.
 */
export type NumberPlaces =
  | 'int64'
  | 'double'
  | {
      readonly members?: { readonly [name: string]: NumberPlaces };
      /** In members that `members` does not name. */
      readonly rest?: NumberPlaces;
      readonly items?: NumberPlaces;
    };

/** What a call must know about an operation at run time. */
export interface OperationCall {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly sendsKey: boolean;
  /** Null for a response without a body. */
  readonly responses: { readonly [status: string]: NumberPlaces | null };
}
