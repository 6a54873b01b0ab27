import { shown } from './shown.js';

/** Only equal JSON values have the same text: the order of members has no meaning, and a bigint equals its number. */
export function canonicalText(given: unknown): string {
  const value = shown(given);
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Date) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  let text = '{';
  for (const name of Object.keys(value).toSorted()) {
    const member = shown((value as Record<string, unknown>)[name]);
    if (member !== undefined) text += `${quoted(name)}${canonicalText(member)},`;
  }
  return `${text}}`;
}

/** With its length in front, the text needs no escapes, which would cost more than everything else. */
function quoted(text: string): string {
  return `${text.length}"${text}`;
}
