import { HttpResponse } from '../support/http/http-response.js';

/** The status and the whole body of a response. */
export interface Outcome {
  readonly status: number;
  readonly body: unknown;
}

/** The outcome of a raw request, or of a call of the typed client. */
export function outcome(response: HttpResponse | Outcome): Outcome {
  return { status: response.status, body: response instanceof HttpResponse ? response.json : response.body };
}

/** The body of a successful call of the typed client; throws for an error. */
export function bodyOf<Body>(
  result: { readonly ok: true; readonly body: Body } | { readonly ok: false; readonly body: { message: string } },
): Body {
  if (!result.ok) throw new Error(result.body.message);
  return result.body;
}

/** An error response. */
export function rejection(status: number, code: string, message: string): Outcome {
  return { status, body: { code, message, status } };
}

export function badRequest(message: string): Outcome {
  return rejection(400, 'BAD_REQUEST', message);
}

export function petNotFound(petId: bigint | number | string): Outcome {
  return rejection(404, 'PET_NOT_FOUND', `No pet has the id ${petId}.`);
}

export function noResourceAt(path: string): Outcome {
  return rejection(404, 'NOT_FOUND', `No resource at ${path}.`);
}

export function methodNotAllowed(method: string, path: string, allow: string): Outcome {
  return rejection(405, 'METHOD_NOT_ALLOWED', `${method} is not allowed on ${path}; allowed: ${allow}.`);
}

export const MISSING_KEY = rejection(
  401,
  'UNAUTHORIZED',
  'The API key is missing; send it as "Authorization: Bearer <API_KEY>".',
);
export const INVALID_KEY = rejection(401, 'UNAUTHORIZED', 'The API key is not valid.');
export const NO_JSON = rejection(
  415,
  'UNSUPPORTED_MEDIA_TYPE',
  'The body must be sent with "Content-Type: application/json".',
);
export const CODED = rejection(415, 'UNSUPPORTED_MEDIA_TYPE', 'The body must be sent without a Content-Encoding.');
export const NO_BODY = badRequest('The request must have a JSON body.');
export const FAILED = rejection(500, 'INTERNAL_SERVER_ERROR', 'The service failed; the request was not at fault.');
export const DATABASE_UNAVAILABLE = rejection(503, 'SERVICE_UNAVAILABLE', 'The database is unavailable; try again.');
export const STOPPING = rejection(503, 'SERVICE_UNAVAILABLE', 'The service is stopping; try again.');

export const LIMIT_VIOLATED = 'limit must be an integer from 1 to 100';
export const STATUS_VIOLATED = 'status must be one of available, pending, sold';
export const CURSOR_VIOLATED = 'cursor must come from the Link header of the previous page';
export const NAME_VIOLATED = 'name must be a string without NUL or unpaired surrogates';
export const CATEGORY_VIOLATED = 'categoryId must be an integer from -9223372036854775808 to 9223372036854775807';
