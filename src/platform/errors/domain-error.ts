/** What kind of refusal an error is, in words that know no HTTP; `STATUS_BY_KIND` gives each its status. */
export type ErrorKind = 'not-found' | 'forbidden' | 'conflict' | 'unprocessable' | 'unavailable';

/** A failure that the caller reads about. Features extend it and mint their own codes. Knows no HTTP. */
export abstract class DomainError extends Error {
  /** UPPER_SNAKE, minted only where a caller would branch on it; docs/errors.md explains each. */
  abstract readonly code: string;
  abstract readonly kind: ErrorKind;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
