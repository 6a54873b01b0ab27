import type { ErrorKind } from './domain-error.js';

/** The codes that `ErrorBody.of` takes, and their statuses. Domain errors have codes of their own. */
export const STATUS_BY_CODE = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_REQUESTS: 429,
  REQUEST_HEADER_FIELDS_TOO_LARGE: 431,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof STATUS_BY_CODE;

export const STATUS_BY_KIND: Readonly<Record<ErrorKind, number>> = {
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  unprocessable: 422,
  unavailable: 503,
};
