/** JSON text of the contract. `JSON.stringify` refuses the integers beyond 2^53 that examples of an int64 hold. */
export function writeDocument(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(writeDocument).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${writeDocument(member)}`);
  return `{${members.join(',')}}`;
}
