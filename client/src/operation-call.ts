/**
 * How to read the numbers of a JSON value, which does not distinguish them: `int64` is a bigint, `double` a number. Without
 * either, an integer is a number where that is exact, and a bigint beyond 2^53 - 1.
 */
export type NumberPlaces =
  | 'int64'
  | 'double'
  | {
      /** Where the value may be a number instead of an object or a list. */
      readonly number?: 'int64' | 'double';
      readonly members?: { readonly [name: string]: NumberPlaces };
      /** In members that `members` does not name. */
      readonly rest?: NumberPlaces;
      readonly items?: NumberPlaces;
    };

/** A response that is not JSON: returned as one text, or as a stream of bytes. */
export interface OtherMedia {
  readonly media: string;
  readonly as: 'text' | 'stream';
}

/** How a list or an object is written in the query, as in OpenAPI. Without a style, a list is repeated. */
export type QueryStyle = 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';

/** What a call must know about an operation at run time. */
export interface OperationCall {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly sendsKey: boolean;
  /** Of parameters of the query. */
  readonly styles?: { readonly [name: string]: QueryStyle };
  /** Null for a response without a body. */
  readonly responses: { readonly [status: string]: NumberPlaces | OtherMedia | null };
}
