import type { Row } from './row.js';

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** The table of docs/contract.md, as Markdown. */
export function tableOf(sections: readonly Section[]): string {
  return sections.map(({ title, rows }) => `### ${title}\n\n${HEAD}${rows.map(lineOf).join('')}`).join('\n');
}

const HEAD = '| Construct | Verdict | How it is honoured, or the reason of the refusal |\n| --- | --- | --- |\n';

function lineOf({ construct, version, note, isRefused }: Row): string {
  const since = version ? ` (OpenAPI ${version.slice(0, 3)})` : '';
  return `| ${escaped(construct)}${since} | ${isRefused ? 'refused' : 'honoured'} | ${escaped(note)} |\n`;
}

/** Names and reasons may have characters that mean something in Markdown. */
function escaped(text: string): string {
  return text.replaceAll(/[|*_<>[\]{}\\]/g, (character) => `\\${character}`);
}
