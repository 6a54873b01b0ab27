import type { ErrorCode } from './error-codes.js';

/** A refusal with a code of the catalogue. Knows no HTTP; its message is read by the caller. */
export abstract class DomainError extends Error {
  abstract readonly code: ErrorCode;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
