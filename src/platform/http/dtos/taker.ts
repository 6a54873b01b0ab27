/** What takes a value, and whether the value is text whatever its schema says, as in paths and headers. */
export interface Taker {
  readonly place: string;
  readonly name: string;
  readonly isText: boolean;
  /** Whether nothing can convert the value: Nest runs no pipes for headers. */
  readonly isHeader?: boolean;
}
