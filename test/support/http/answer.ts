import { readJson } from '../contract/exact-json.js';

/** An HTTP answer, every byte of it. */
export class Answer {
  /** By lower-case name, each with all its values. */
  readonly headers: Record<string, string[]> = {};

  constructor(
    readonly status: number,
    /** Names and values alternating, as they came. */
    readonly rawHeaders: readonly string[],
    readonly bytes: Buffer,
    /** The statuses of the 1xx answers that came before this one. */
    readonly interim: readonly number[] = [],
  ) {
    for (let i = 0; i < rawHeaders.length; i += 2) {
      (this.headers[rawHeaders[i]!.toLowerCase()] ??= []).push(rawHeaders[i + 1]!);
    }
  }

  /** The one value of a header; undefined when the answer does not have it, an error when it has several. */
  header(name: string): string | undefined {
    const values = this.headers[name.toLowerCase()] ?? [];
    if (values.length > 1) throw new Error(`the answer has ${values.length} headers ${name}`);
    return values[0];
  }

  /** Throws when the body is no UTF-8. */
  get text(): string {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.bytes);
  }

  /** Integers beyond 2^53 are bigint. Throws when the body is no JSON or has a member twice. */
  get json(): unknown {
    return readJson(this.text);
  }
}
