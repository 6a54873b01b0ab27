import type { IncomingMessage } from 'node:http';

/** How often a header was sent. For some headers, Node keeps only the first. `name` is in lower case. */
export function countOf({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index];
    if (candidate?.length === name.length && candidate.toLowerCase() === name) count += 1;
  }
  return count;
}
