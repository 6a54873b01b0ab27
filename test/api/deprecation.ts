import type { HttpResponse } from '../support/http/http-response.js';

/** Deprecated since 2026-11-20, the date of version 1.0.0; removal on 5 December 2030. */
export const DEPRECATION = {
  deprecation: ['@1795132800'],
  sunset: ['Thu, 05 Dec 2030 00:00:00 GMT'],
  link: ['</v1/pets>; rel="successor-version", </docs#/pets/getPet>; rel="deprecation"'],
};
export const NO_DEPRECATION = { deprecation: undefined, sunset: undefined, link: undefined };

export function deprecationOf({ headers: { deprecation, sunset, link } }: HttpResponse) {
  return { deprecation, sunset, link };
}
