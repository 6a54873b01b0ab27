import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { FixedHeaders } from '../request/fixed-headers.js';

/** A flat list, as `writeHead` takes it: name, value, name, value. */
export type HeaderList = OutgoingHttpHeader[];

/** Stores headers given to `writeHead` as Node does: they replace stored ones, and a list may repeat a name. */
export function storeHeaders(response: ServerResponse, given: unknown): void {
  if (!Array.isArray(given)) {
    for (const [name, value] of Object.entries(given ?? {})) response.setHeader(name, value as string);
    return;
  }
  const list = given as string[];
  const pairs = list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1] ?? ''] as const] : []));
  for (const [name] of pairs) response.removeHeader(name);
  for (const [name, value] of pairs) response.appendHeader(name, value);
}

/** `Link` is a list: a response may have several. */
export function withMissing(given: HeaderList, fixed: FixedHeaders): HeaderList {
  const headers = [...given];
  for (const [name, value] of fixed) {
    if (name === 'Link' || !includesName(given, name)) headers.push(name, value);
  }
  return headers;
}

function includesName(headers: HeaderList, name: string): boolean {
  for (let index = 0; index < headers.length; index += 2) {
    const candidate = String(headers[index]);
    if (candidate.length === name.length && candidate.toLowerCase() === name.toLowerCase()) return true;
  }
  return false;
}
