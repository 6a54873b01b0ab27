/** One unit of the specification's text: a paragraph, a list item, a table row, or a heading with content. */
export interface Passage {
  /** The heading that it stands under. */
  readonly heading: string;
  readonly text: string;
}

const HEADING = /^#+ (.+)$/;
const ITEM = /^(?:-|\d+\.) (.+)$/;
const ROW = /^\|(.+)\|$/;
const RULER = /^\|[\s|:-]+\|$/;
/** A label before a table, such as `Responses:`. */
const LABEL = /^\w+:$/;

/** The passages of a Markdown text, in order; dots separate the cells of a row. */
export function readPassages(markdown: string): Passage[] {
  const passages: Passage[] = [];
  let heading = '';
  const lines = markdown.split('\n');
  for (const [at, line] of lines.entries()) {
    const title = HEADING.exec(line)?.[1];
    if (title !== undefined) {
      heading = title;
      // Other headings have no content.
      if (title.includes('(')) passages.push({ heading, text: title });
    } else if (!isSkipped(line) && !RULER.test(lines[at + 1] ?? '')) {
      passages.push({ heading, text: textOf(line) });
    }
  }
  return passages;
}

function isSkipped(line: string): boolean {
  return line.trim() === '' || RULER.test(line) || LABEL.test(line);
}

function textOf(line: string): string {
  const cells = cellsOf(line);
  return cells?.join(' · ') ?? ITEM.exec(line)?.[1] ?? line;
}

/** The cells of a table row; undefined for any other line. */
export function cellsOf(line: string): string[] | undefined {
  return ROW.exec(line)?.[1]
    ?.split('|')
    .map((cell) => cell.trim());
}
