import { type ErrorCode, STATUS_BY_CODE } from '../errors/error-codes.js';

/** The body of every refusal: the contract's Error. */
export class ErrorBody {
  readonly status: number;

  constructor(
    readonly code: string,
    readonly message: string,
    status?: number,
  ) {
    this.status = status ?? STATUS_BY_CODE[code as ErrorCode];
  }
}

export const FAILED = new ErrorBody(
  'INTERNAL_SERVER_ERROR',
  'The service failed to answer; the request was not at fault.',
);
