import type { EdgeRequest } from '../request/edge-request.js';

/** Whether a handler that still runs would write the response of its operation itself, which nothing would check. */
export function isPastContract({ isHandling, operation }: EdgeRequest): boolean {
  return isHandling === true && operation !== undefined;
}

export function pastContract({ operation }: EdgeRequest): Error {
  return new Error(`The handler of ${operation?.id} wrote the response past the contract; return the body instead`);
}
