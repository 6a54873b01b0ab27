/** Independent of HTTP; `STATUS_BY_KIND` maps each kind to a status. */
export type ErrorKind = 'not-found' | 'forbidden' | 'conflict' | 'unprocessable' | 'unavailable';

/** An error that is reported to the caller. Features extend it with codes of their own. Independent of HTTP. */
export abstract class DomainError extends Error {
  /** UPPER_SNAKE. Add a code only where a caller would branch on it, and give openapi.yaml an example of it. */
  abstract readonly code: string;
  abstract readonly kind: ErrorKind;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
