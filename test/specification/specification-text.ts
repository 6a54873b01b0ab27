/** One unit of the specification's text: a paragraph, an item of a list, a row of a table, a heading that says something. */
export interface Passage {
  /** The heading that it stands under. */
  readonly heading: string;
  readonly text: string;
}

const HEADING = /^#+ (.+)$/;
const ITEM = /^(?:-|\d+\.) (.+)$/;
const ROW = /^\|(.+)\|$/;
const RULER = /^\|[\s|:-]+\|$/;
/** `Responses:`, before a table. */
const LABEL = /^\w+:$/;

/** The passages of a Markdown text, in order; the cells of a row are joined by a dot. */
export function readPassages(markdown: string): Passage[] {
  const passages: Passage[] = [];
  let heading = '';
  const lines = markdown.split('\n');
  for (const [at, line] of lines.entries()) {
    const title = HEADING.exec(line)?.[1];
    if (title !== undefined) {
      heading = title;
      // Others only name what follows.
      if (title.includes('(')) passages.push({ heading, text: title });
    } else if (!isSilent(line) && !RULER.test(lines[at + 1] ?? '')) {
      passages.push({ heading, text: textOf(line) });
    }
  }
  return passages;
}

function isSilent(line: string): boolean {
  return line.trim() === '' || RULER.test(line) || LABEL.test(line);
}

function textOf(line: string): string {
  const cells = cellsOf(line);
  return cells?.join(' · ') ?? ITEM.exec(line)?.[1] ?? line;
}

/** The cells of a row of a table; undefined for another line. */
export function cellsOf(line: string): string[] | undefined {
  return ROW.exec(line)?.[1]
    ?.split('|')
    .map((cell) => cell.trim());
}
