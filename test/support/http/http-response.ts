import { readJson } from '../contract/exact-json.js';

/** A complete HTTP response. */
export class HttpResponse {
  /** All values, by lower-case name. */
  readonly headers: Record<string, string[]> = {};

  constructor(
    readonly status: number,
    /** Names and values alternating, as received. */
    readonly rawHeaders: readonly string[],
    readonly bytes: Buffer,
    /** The statuses of the preceding 1xx responses. */
    readonly interim: readonly number[] = [],
  ) {
    for (let i = 0; i < rawHeaders.length; i += 2) {
      (this.headers[rawHeaders[i]!.toLowerCase()] ??= []).push(rawHeaders[i + 1]!);
    }
  }

  /** The only value of a header, or undefined. Throws when there are several. */
  header(name: string): string | undefined {
    const values = this.headers[name.toLowerCase()] ?? [];
    if (values.length > 1) throw new Error(`the response has ${values.length} headers ${name}`);
    return values[0];
  }

  /** Throws when the body is not valid UTF-8. */
  get text(): string {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.bytes);
  }

  /** Integers beyond 2^53 are bigint. Throws when the body is invalid JSON or has duplicate member names. */
  get json(): unknown {
    return readJson(this.text);
  }
}
