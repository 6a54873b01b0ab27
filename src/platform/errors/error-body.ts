import { type HttpException, HttpStatus } from '@nestjs/common';
import type { DomainError } from './domain-error.js';
import { type ErrorCode, STATUS_BY_CODE, STATUS_BY_KIND } from './error-codes.js';

/** The body of every error response: the contract's Error. */
export class ErrorBody {
  /** Further members; the contract decides which of them are sent. */
  readonly #others: Readonly<Record<string, unknown>>;

  private constructor(
    readonly code: string,
    readonly message: string,
    readonly status: number,
    others = {},
  ) {
    this.#others = others;
  }

  /** For a code of the platform, which determines the status. */
  static of(code: ErrorCode, message: string): ErrorBody {
    return new ErrorBody(code, message, STATUS_BY_CODE[code]);
  }

  /** For an error of a feature: its own code, and the status of its kind. */
  static ofDomainError({ code, kind, message }: DomainError): ErrorBody {
    return new ErrorBody(code, message, STATUS_BY_KIND[kind]);
  }

  /** For Nest's exceptions: the code is the name of the status, unless one below 500 has a code of its own. */
  static ofException(exception: HttpException): ErrorBody {
    const status = exception.getStatus();
    const { code, ...others } = status < 500 ? ownMembersOf(exception) : {};
    const name = typeof code === 'string' ? code : (HttpStatus[status] ?? 'BAD_REQUEST');
    return new ErrorBody(name, messageOf(exception), status, others);
  }

  /** All members, for a status whose schema may declare more than the three of every error. */
  get members(): object {
    return { ...this.#others, code: this.code, message: this.message, status: this.status };
  }

  /** As the contract declares the Error. */
  toJson(): string {
    return JSON.stringify({ code: this.code, message: this.message, status: this.status });
  }
}

/** Nest keeps the message of an HttpException in its response body, as text or as a list; a feature may call it `error`. */
function messageOf(exception: HttpException): string {
  const body = exception.getResponse();
  if (typeof body === 'string') return body;
  const { message, error } = body as { message?: unknown; error?: unknown };
  if (Array.isArray(message)) return message.join('; ');
  return [message, error].find((one) => typeof one === 'string') ?? exception.message;
}

/** The members that a feature adds to an exception. None if it passes on an error, which may hold secrets. */
function ownMembersOf(exception: HttpException): Record<string, unknown> {
  const body = exception.getResponse();
  if (typeof body === 'string' || Array.isArray(body) || body instanceof Error) return {};
  const { statusCode, error, ...members } = body as Record<string, unknown>;
  // Nest adds both where the exception has only a text.
  return statusCode === undefined && error !== undefined ? { ...members, error } : members;
}

export const FAILED = ErrorBody.of('INTERNAL_SERVER_ERROR', 'The service failed; the request was not at fault.');
