import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';

/**
 * Node's response with its header fields in a flat list: name, value, name, value... Node would keep them in a hash
 * table, made for each answer and read once, at twice the price of everything else about them: docs/performance.md.
 * The methods are Node's own, and do what its documentation says.
 */
export class LeanResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
  readonly #fields: OutgoingHttpHeader[] = [];

  override setHeader(name: string, value: OutgoingHttpHeader): this {
    // Node's own complaint.
    if (this.headersSent) return super.setHeader(name, value);
    validateHeaderName(name);
    validateHeaderValue(name, value as string);
    return this.putHeader(name, value);
  }

  /** Sets a field that needs no check: one of our own, before the head is written. */
  putHeader(name: string, value: OutgoingHttpHeader): this {
    const index = this.#find(name);
    if (index === -1) this.#fields.push(name, value);
    else this.#fields.splice(index, 2, name, value);
    return this;
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    const before = this.getHeader(name);
    return this.setHeader(name, before === undefined ? [value].flat() : [before as string | string[], value].flat(2));
  }

  override removeHeader(name: string): void {
    super.removeHeader(name);
    const index = this.#find(name);
    if (index !== -1) this.#fields.splice(index, 2);
  }

  override hasHeader(name: string): boolean {
    return this.#find(name) !== -1;
  }

  override getHeader(name: string): OutgoingHttpHeader | undefined {
    const index = this.#find(name);
    return index === -1 ? undefined : this.#fields[index + 1];
  }

  override getHeaders(): OutgoingHttpHeaders {
    const headers = Object.create(null) as OutgoingHttpHeaders;
    for (const name of this.getHeaderNames()) headers[name] = this.getHeader(name);
    return headers;
  }

  override getHeaderNames(): string[] {
    return this.getRawHeaderNames().map((name) => name.toLowerCase());
  }

  getRawHeaderNames(): string[] {
    return this.#fields.filter((_, index) => index % 2 === 0) as string[];
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    const reason = typeof rest[0] === 'string' ? rest.shift() : undefined;
    for (const [name, value] of pairsOf(rest[0] as HeadFields)) this.setHeader(name, value);
    return super.writeHead(status, reason as string, this.#fields);
  }

  #find(name: string): number {
    const fields = this.#fields as string[];
    for (let index = 0; index < fields.length; index += 2) {
      const field = fields[index]!;
      if (field === name) return index;
      if (field.length === name.length && field.toLowerCase() === name.toLowerCase()) return index;
    }
    return -1;
  }
}

/** As `writeHead` takes them: an object, or a flat list of names and values. */
type HeadFields = OutgoingHttpHeaders | readonly OutgoingHttpHeader[] | undefined;

function pairsOf(fields: HeadFields = {}): [string, OutgoingHttpHeader][] {
  if (!Array.isArray(fields)) return Object.entries(fields) as [string, OutgoingHttpHeader][];
  const list = fields as OutgoingHttpHeader[];
  return list.flatMap((name, index) => (index % 2 === 0 ? [[name as string, list[index + 1]!]] : []));
}
