import { createHash, timingSafeEqual } from 'node:crypto';
import { apiKey } from './environment.mjs';

const hash = (text) => createHash('sha256').update(text).digest();
const expected = hash(apiKey);

/** Whether this `Authorization` header carries the key; neither time nor memory tells how it should look. */
export const isAuthorized = (header) =>
  header !== undefined && header.startsWith('Bearer ') && timingSafeEqual(hash(header.slice(7)), expected);
