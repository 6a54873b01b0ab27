import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRoot } from './project-root.js';

const CLASS = /^(?:export )?(?:default )?(?:abstract )?class (\w+)/;
const MEMBER = /^\s+(?:readonly )?(\w+)[?!]?\s*[:=(;]/;

/**
 * Where a class, or one of its properties, is declared: `src/pets/pet.entity.ts:12`. It reads the sources, so only a start
 * that fails asks. Undefined where there are none, as in the container image.
 */
export function placeInSource(className: string, property?: string, root = findRoot()): string | undefined {
  const folder = join(root, 'src');
  if (!existsSync(folder)) return undefined;
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )) {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    const start = lines.findIndex((line) => CLASS.exec(line)?.[1] === className);
    if (start < 0) continue;
    const members = property === undefined ? [] : lines.slice(start, endOf(lines, start));
    // An inherited property is in another class: the class itself is the closest place.
    const inside = members.findIndex((line) => MEMBER.exec(line)?.[1] === property);
    return `src/${file.replaceAll('\\', '/')}:${start + Math.max(0, inside) + 1}`;
  }
  return undefined;
}

/** The line that ends a class: the first brace at the margin. */
function endOf(lines: readonly string[], start: number): number {
  const length = lines.slice(start).findIndex((line) => line.startsWith('}'));
  return length < 0 ? lines.length : start + length;
}
