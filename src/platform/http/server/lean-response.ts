import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';

/**
 * Node's response with its header fields in a flat list: name, value, name, value... Node would keep them in a hash
 * table, made for each answer and read once, at twice the price of everything else about them: docs/performance.md.
 * The methods are Node's own, and do what its documentation says.
 */
export class LeanResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
  /** Nothing until a field is set: Node then writes what `writeHead` is given as it is, and keeps none of it. */
  #fields?: OutgoingHttpHeader[] = undefined;

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
    if (index === -1) (this.#fields ??= []).push(name, value);
    else this.#fields!.splice(index, 2, name, value);
    return this;
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    if (this.headersSent) return super.appendHeader(name, value);
    validateHeaderName(name);
    validateHeaderValue(name, value as string);
    const index = this.#find(name);
    if (index === -1) return this.setHeader(name, value as string[]);
    const fields = this.#fields!;
    fields[index + 1] = [fields[index + 1]!, value].flat() as string[];
    return this;
  }

  override removeHeader(name: string): void {
    super.removeHeader(name);
    const index = this.#find(name);
    if (index !== -1) this.#fields!.splice(index, 2);
  }

  override hasHeader(name: string): boolean {
    return typeof name === 'string' ? this.#find(name) !== -1 : super.hasHeader(name);
  }

  override getHeader(name: string): OutgoingHttpHeader | undefined {
    if (typeof name !== 'string') return super.getHeader(name);
    const index = this.#find(name);
    return index === -1 ? undefined : this.#fields![index + 1];
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
    return (this.#fields ?? []).filter((_, index) => index % 2 === 0) as string[];
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    const reason = typeof rest[0] === 'string' ? rest[0] : undefined;
    const added = reason === undefined ? (rest[1] ?? rest[0]) : rest[1];
    // Node's own: its complaints, and the fields of a head that has no others.
    if (!this.#fields || this.headersSent || !isStatus(status)) return super.writeHead(status, reason, added as never);
    if (added) {
      // Where Node leaves them when one of the fields is refused.
      this.statusCode = Math.trunc(status);
      this.statusMessage = reason ?? (this.statusMessage || (STATUS_CODES[this.statusCode] ?? 'unknown'));
      if (Array.isArray(added) && added.length % 2 !== 0) return super.writeHead(status, reason, added);
      for (const [name, value] of pairsOf(added as HeadFields)) if (name) this.setHeader(name, value);
    }
    // Node makes bytes of this field, and would then refuse them in a list.
    if (this.#find('content-disposition') === -1) return super.writeHead(status, reason as string, this.#fields);
    for (const [name, value] of pairsOf(this.#fields)) super.setHeader(name, value);
    return super.writeHead(status, reason);
  }

  #find(name: string): number {
    const fields = this.#fields as string[] | undefined;
    if (!fields) return -1;
    for (let index = 0; index < fields.length; index += 2) {
      const field = fields[index]!;
      if (field === name) return index;
      if (field.length === name.length && field.toLowerCase() === name.toLowerCase()) return index;
    }
    return -1;
  }
}

function isStatus(status: number): boolean {
  return status >= 100 && status < 1000;
}

/** As `writeHead` takes them: an object, or a flat list of names and values. */
type HeadFields = OutgoingHttpHeaders | readonly OutgoingHttpHeader[];

function pairsOf(fields: HeadFields): [string, OutgoingHttpHeader][] {
  if (!Array.isArray(fields)) return Object.entries(fields) as [string, OutgoingHttpHeader][];
  const list = fields as OutgoingHttpHeader[];
  return list.flatMap((name, index) => (index % 2 === 0 ? [[name as string, list[index + 1]!]] : []));
}
