/** Where a JSON value has integers of 64 bits, which JSON does not distinguish from other numbers. */
export type Int64Places =
  | 'int64'
  | {
      readonly members?: { readonly [name: string]: Int64Places };
      /** In members that `members` does not name. */
      readonly rest?: Int64Places;
      readonly items?: Int64Places;
    };

/** What a call must know about an operation at run time. */
export interface OperationCall {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly sendsKey: boolean;
  /** Null for a response without a body. */
  readonly responses: { readonly [status: string]: Int64Places | null };
}
