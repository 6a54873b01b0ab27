import { randomFillSync } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The header of a request that chooses the id, and of each response. */
export const REQUEST_ID = 'X-Request-Id';

/** As openapi.yaml declares it. */
export const WELL_FORMED = /^[A-Za-z0-9._~+/=:@-]{1,128}$/;

/** Gives each request its id: the one that the client chose, unless it contains an API key, or a new one. */
export class RequestIds {
  constructor(
    /** Keys that the process knows in clear text, which can have any form. */
    private readonly keys: readonly string[],
    /** Whether a text has a key in it that is recognised by its form: the log contains request ids, and must never contain a key. */
    private readonly containsKey: (text: string) => boolean,
  ) {}

  of({ 'x-request-id': chosen, authorization = '' }: IncomingHttpHeaders): string {
    // Node joins repeated headers with a comma, which no id has.
    if (typeof chosen !== 'string' || !WELL_FORMED.test(chosen)) return newRequestId();
    return this.hasKey(chosen, authorization) ? newRequestId() : chosen;
  }

  /** Whether a text that a client sent has a key in it, so that the log must not have that text. */
  hasKey(chosen: string, authorization: string): boolean {
    // The client may send a key of another environment, which is unknown here.
    const credentials = authorization.slice(authorization.lastIndexOf(' ') + 1);
    if (credentials !== '' && chosen.includes(credentials)) return true;
    return this.containsKey(chosen) || this.keys.some((key) => chosen === key || isContained(key, chosen));
  }
}

/** Ids contain shorter texts by chance: with the key "test", clients could choose no id that contains that word. */
const SHORTEST_SECRET = 8;

function isContained(key: string, id: string): boolean {
  return key.length >= SHORTEST_SECRET && id.includes(key);
}

/** Ids of one millisecond that differ by their counter, RFC 9562, section 6.2, method 1. */
const COUNTS = Array.from({ length: 4096 }, (_, count) => count.toString(16).padStart(3, '0'));

/** The first digit of the fourth group, whose two highest bits are the variant. */
const VARIANTS = ['8', '9', 'a', 'b'];

/** Random hexadecimal digits that one id takes. */
const DIGITS = 16;

const bytes = Buffer.alloc((DIGITS / 2) * 512);
let digits = '';
let used = 0;
/** Milliseconds since 1970: never less than before, even when the clock is set back. */
let time = 0;
let prefix = '';
let count = 0;

/** A UUID of version 7: the ids of a process sort in their order. Generating many random digits at once is cheaper. */
export function newRequestId(): string {
  const now = Date.now();
  if (now > time) startAt(now);
  else if (count === COUNTS.length) startAt(time + 1);
  if (used === digits.length) {
    digits = randomFillSync(bytes).toString('hex');
    used = 0;
  }
  const start = used;
  used += DIGITS;
  const variant = VARIANTS[digits.charCodeAt(start) & 3]!; // 0 to 3
  const counter = COUNTS[count]!; // at most 4095
  count += 1;
  return `${prefix}${counter}-${variant}${digits.slice(start + 1, start + 4)}-${digits.slice(start + 4, used)}`;
}

function startAt(milliseconds: number): void {
  time = milliseconds;
  count = 0;
  const text = milliseconds.toString(16).padStart(12, '0');
  prefix = `${text.slice(0, 8)}-${text.slice(8)}-7`;
}
