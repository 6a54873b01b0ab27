import { InexactNumber } from './json-reader.js';

/** Writes any value as JSON text, with every digit that `readJson` has read. Omits undefined members. */
export function writeJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof InexactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (typeof value !== 'object' || value === null || value instanceof Date) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`);
  return `{${members.join(',')}}`;
}
