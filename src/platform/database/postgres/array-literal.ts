/** A list as PostgreSQL reads it in a parameter; null is an element without quotes. */
export function arrayLiteral(values: readonly (string | bigint | number | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : quoted(String(value)))).join(',')}}`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
