import { jsonText } from '../json-text.mjs';

/** A JSDoc comment with what the contract says about a schema, a parameter or an operation; empty when it says nothing. */
export function comment({ summary, description, deprecated, default: standard } = {}, ...more) {
  const lines = [
    ...(summary === undefined ? [] : [summary]),
    ...(description === undefined ? [] : ['', ...description.trimEnd().split('\n')]),
    ...more.flatMap((text) => ['', text]),
    ...(standard === undefined ? [] : ['', `@default ${jsonText(standard)}`]),
    ...(deprecated === true ? ['', '@deprecated'] : []),
  ].map((line) => line.trimEnd().replaceAll('*/', '*\\/'));
  while (lines[0] === '') lines.shift();
  if (lines.length === 0) return '';
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` *${line && ` ${line}`}\n`).join('')} */\n`;
}
