import { createHash, timingSafeEqual } from 'node:crypto';
import { apiKey } from './environment.mjs';

const hash = (text) => createHash('sha256').update(text).digest();
const expected = hash(apiKey);

/** Whether this `Authorization` header carries the key. Takes constant time, and keeps only a hash of the key. */
export const isAuthorized = (header) =>
  header !== undefined && header.startsWith('Bearer ') && timingSafeEqual(hash(header.slice(7)), expected);
