/** A JSDoc comment with what the contract says about a schema, a parameter or an operation; empty when it says nothing. */
export function comment({ summary, description, deprecated, default: standard } = {}, ...more) {
  const lines = [
    ...(summary === undefined ? [] : [summary]),
    ...(description === undefined ? [] : ['', ...description.trimEnd().split('\n')]),
    ...more.flatMap((text) => ['', text]),
    ...(standard === undefined ? [] : ['', `@default ${shown(standard)}`]),
    ...(deprecated === true ? ['', '@deprecated'] : []),
  ].map((line) => line.trimEnd().replaceAll('*/', '*\\/'));
  while (lines[0] === '') lines.shift();
  if (lines.length === 0) return '';
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` *${line && ` ${line}`}\n`).join('')} */\n`;
}

/** JSON with every digit of an integer. */
function shown(value) {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(shown).join(',')}]`;
  return `{${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}:${shown(inner)}`)
    .join(',')}}`;
}
