import { cellsOf } from './specification-text.js';

export interface NamedTest {
  /** From the root of the repository. */
  readonly file: string;
  readonly name: string;
}

/** A row of docs/specification.md. */
export interface TableRow {
  readonly heading: string;
  /** A quotation from the specification, or a question that it leaves open. */
  readonly subject: string;
  readonly tests: readonly NamedTest[];
  readonly decision: string;
}

const LINK = /\[([^\]]+)\]\(([^)]+)\)/g;
/** Means that the test has the quotation as its title. */
const SO_NAMED = 'so named';

export function readRows(markdown: string): TableRow[] {
  let heading = '';
  return markdown.split('\n').flatMap((line) => {
    heading = /^#+ (.+)$/.exec(line)?.[1] ?? heading;
    const [subject = '', tests = '', decision = ''] = cellsOf(line) ?? [];
    if (subject === '' || /^-+$/.test(subject) || decision === 'Decision') return [];
    return [{ heading, subject, tests: readTests(tests, subject), decision }];
  });
}

function readTests(cell: string, subject: string): NamedTest[] {
  return [...cell.matchAll(LINK)].map(([, text, address]) => ({
    file: address!.replace(/^\.\.\//, ''),
    name: text === SO_NAMED ? subject : text!,
  }));
}
