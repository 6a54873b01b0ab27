import { type HttpException, HttpStatus } from '@nestjs/common';
import type { DomainError } from './domain-error.js';
import { type ErrorCode, STATUS_BY_CODE, STATUS_BY_KIND } from './error-codes.js';

/** The body of every error response: the contract's Error. */
export class ErrorBody {
  private constructor(
    readonly code: string,
    readonly message: string,
    readonly status: number,
  ) {}

  /** For a code of the platform, which determines the status. */
  static of(code: ErrorCode, message: string): ErrorBody {
    return new ErrorBody(code, message, STATUS_BY_CODE[code]);
  }

  /** For an error of a feature: its own code, and the status of its kind. */
  static ofDomainError({ code, kind, message }: DomainError): ErrorBody {
    return new ErrorBody(code, message, STATUS_BY_KIND[kind]);
  }

  /** For Nest's own exceptions: the code is the name of the status. */
  static ofException(exception: HttpException): ErrorBody {
    const status = exception.getStatus();
    return new ErrorBody(HttpStatus[status] ?? 'BAD_REQUEST', messageOf(exception), status);
  }

  /** As the contract declares the Error. */
  toJson(): string {
    return JSON.stringify({ code: this.code, message: this.message, status: this.status });
  }
}

/** Nest keeps the message of an HttpException in its response body, as text or as a list. */
function messageOf(exception: HttpException): string {
  const body = exception.getResponse();
  const message = typeof body === 'string' ? body : (body as { message?: unknown }).message;
  if (Array.isArray(message)) return message.join('; ');
  return typeof message === 'string' ? message : exception.message;
}

export const FAILED = ErrorBody.of('INTERNAL_SERVER_ERROR', 'The service failed; the request was not at fault.');
