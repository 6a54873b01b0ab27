import { badRequest } from '../../../properties/outcome.js';

export const MALFORMED = badRequest('The request is not well-formed HTTP/1.1.');
export const REX = '{"name":"Rex","categoryId":7}';

/** Joins the lines of a request with CRLF and adds nothing. */
export function message(lines: readonly string[], body = ''): string {
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** A valid list request. */
export function listRequest(key: string, ...headers: string[]): string {
  return message(['GET /v1/pets HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${key}`, ...headers]);
}

/** A creation without Content-Length or Transfer-Encoding. */
export function creation(key: string, headers: readonly string[], body: string): string {
  const fields = ['Host: localhost', `Authorization: Bearer ${key}`, 'Content-Type: application/json'];
  return message(['POST /v1/pets HTTP/1.1', ...fields, ...headers], body);
}

/** A valid creation. */
export function goodCreation(key: string, ...headers: string[]): string {
  return creation(key, [...headers, `Content-Length: ${REX.length}`], REX);
}

export function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}
