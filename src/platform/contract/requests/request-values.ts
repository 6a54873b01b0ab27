/** What a request sends, apart from its method. Names of headers are in lower case. */
export interface RequestValues {
  readonly url: string;
  readonly params: Record<string, unknown>;
  /** A repeated parameter is a list. */
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, string | string[] | undefined>;
  /** Absent when none was sent. */
  body?: unknown;
}
