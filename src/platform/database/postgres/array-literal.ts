/** An array parameter in PostgreSQL's text format; an unquoted NULL is a null element. */
export function arrayLiteral(values: readonly (string | bigint | number | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : quoted(String(value)))).join(',')}}`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
