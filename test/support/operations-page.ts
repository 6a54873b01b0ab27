import { readFileSync } from 'node:fs';

/** The text of a section of docs/operations.md, whose statements and commands a test runs. */
export function operationsSection(title: string): string {
  const page = readFileSync('docs/operations.md', 'utf8');
  const [, text] = page.split(`\n### ${title}\n`);
  if (text === undefined) throw new Error(`docs/operations.md has no section "${title}"`);
  return text.split('\n### ')[0]!; // split returns at least one part
}
