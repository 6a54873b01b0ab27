import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import { isSameName } from '../request/fixed-headers.js';

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

/** Stores a head until the body has been checked. `rest` are the arguments of `writeHead` after the status. */
export function keepHead<Written extends ServerResponse>(
  response: Written,
  status: number,
  rest: readonly unknown[],
): Written {
  const message = messageOf(rest);
  response.statusCode = status;
  if (message !== undefined) response.statusMessage = message;
  storeHeaders(response, message === undefined ? (rest[1] ?? rest[0]) : rest[1]);
  return response;
}

/** The status message that `writeHead` got, if it got one. `rest` are its arguments after the status. */
export function messageOf([message]: readonly unknown[]): string | undefined {
  return typeof message === 'string' ? message : undefined;
}

/** Whether a list has a header. */
export function hasName(headers: HeaderList, name: string): boolean {
  return indexOf(headers, name, 0) !== -1;
}

/** The value of a header: a list where it has several, as Node returns it; undefined without any. */
export function valueOf(headers: HeaderList, name: string): number | string | string[] | undefined {
  const first = indexOf(headers, name, 0);
  if (first === -1) return undefined;
  const value = headers[first + 1] as number | string;
  let index = indexOf(headers, name, first + 2);
  if (index === -1) return value;
  const values = [String(value)];
  for (; index !== -1; index = indexOf(headers, name, index + 2)) values.push(String(headers[index + 1]));
  return values;
}

/** The index of the first such name at or after `from`; -1 when there is none. */
function indexOf(headers: HeaderList, name: string, from: number): number {
  for (let index = from; index < headers.length; index += 2) {
    if (isSameName(String(headers[index]), name)) return index;
  }
  return -1;
}
