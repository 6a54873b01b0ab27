import type { Header, OperationObject, Response } from './open-api.js';

/** Whether requests choose a media type by `Accept`, so that the platform adds `Vary: Accept` to each response. */
export function choosesMediaType({ responses }: OperationObject): boolean {
  const offers = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Number(status) < 400 ? [Object.keys(content).length] : [],
  );
  // With 406, a request may choose none.
  return offers.some((count) => count > (responses[406] ? 0 : 1));
}

/**
 * The `Vary` that openapi.yaml declares for what the platform adds to a response. A contract may leave it out. The start
 * refuses one that the platform's value breaks.
 */
export function addedVary(declared: OperationObject | undefined, status: string): Record<string, Header> {
  if (!declared || !choosesMediaType(declared)) return {};
  const headers: Response['headers'] = declared.responses[status]?.headers ?? {};
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() === 'vary'));
}
