import { badRequest } from '../../properties/outcome.js';

export const MALFORMED = badRequest('The request is not well-formed HTTP/1.1.');
export const REX = '{"name":"Rex","categoryId":7}';

/** The bytes of a request: with the line ends of HTTP and nothing added. */
export function message(lines: readonly string[], body = ''): string {
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** A request for the list that the service answers with 200. */
export function listRequest(key: string, ...headers: string[]): string {
  return message(['GET /v1/pets HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${key}`, ...headers]);
}

/** A creation without anything that says how long its body is. */
export function creation(key: string, headers: readonly string[], body: string): string {
  const standing = ['Host: localhost', `Authorization: Bearer ${key}`, 'Content-Type: application/json'];
  return message(['POST /v1/pets HTTP/1.1', ...standing, ...headers], body);
}

/** A creation that the service answers with 201. */
export function goodCreation(key: string, ...headers: string[]): string {
  return creation(key, [...headers, `Content-Length: ${REX.length}`], REX);
}

export function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}
