import { NotAcceptableException } from '@nestjs/common';
import type { EdgeRequest } from './edge-request.js';

/**
 * The media type that a request prefers (RFC 9110, section 12.5.1), of those that its operation declares. A request that
 * accepts none is refused with 406 if the operation declares it; otherwise the first media type is sent, as the RFC allows.
 */
export function chooseMediaType(request: EdgeRequest, declared: readonly string[], refuses: boolean): string {
  // All text is UTF-8: clients may ask for it, or not.
  const chosen = request.accepts(declared.flatMap((type) => [type, `${type}; charset=utf-8`]));
  if (chosen) return chosen.split(';', 1)[0]!; // a part always exists
  if (refuses) throw new NotAcceptableException(`The response is available only as ${declared.join(', ')}.`);
  return declared[0]!; // an operation declares at least one
}
