import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The security scheme of the contract that API keys are for. */
export const KEY_SCHEME = 'apiKey';

export const KEY_SCOPES = ['read', 'write'] as const;
/** What a key may be used for: `write` includes reading. */
export type KeyScope = (typeof KEY_SCOPES)[number];

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'pets_';
/** 62^32 is about 2^190. */
const RANDOM_LENGTH = 32;
/** Enough for 32 bits in base 62. */
const CHECKSUM_LENGTH = 6;

/** `pets_`, 32 random characters and a checksum of 6, by which scanners recognise leaked keys offline. */
export function newApiKey(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return PREFIX + random + checksum(PREFIX + random);
}

/** Whether a text has such a key in it, of this or another environment, whatever stands before and after it. */
export function containsApiKey(text: string): boolean {
  for (let start = text.indexOf(PREFIX); start !== -1; start = text.indexOf(PREFIX, start + 1)) {
    const end = start + PREFIX.length + RANDOM_LENGTH;
    if (text.slice(end, end + CHECKSUM_LENGTH) === checksum(text.slice(start, end))) return true;
  }
  return false;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

/** Stored and compared instead of the key. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'base64');
}
