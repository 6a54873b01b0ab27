import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRoot } from './project-root.js';

const CLASS = /^(?:export )?(?:default )?(?:abstract )?class (\w+)/;
const MEMBER = /^\s+(?:(?:readonly|async) )?(\w+)[?!]?\s*[:=(;]/;

/**
 * Where a class, or one of its members, is declared: `src/pets/pet.entity.ts:12`. Several places, joined by " or ", for a
 * name that several files give to a class. It reads the sources, so only a start that fails asks. Undefined where there are
 * none, as in the container image.
 */
export function placeInSource(className: string, property?: string, root = findRoot()): string | undefined {
  const folder = join(root, 'src');
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const declared = files.flatMap((file) =>
    placesIn(join(folder, file), className, property).map((it) => ({ file, ...it })),
  );
  // An inherited property is in another class: the class itself is the closest place.
  const having = declared.filter(({ hasProperty }) => hasProperty);
  const places = (having.length > 0 ? having : declared).map(
    ({ file, line }) => `src/${file.replaceAll('\\', '/')}:${line}`,
  );
  return places.length === 0 ? undefined : places.toSorted().join(' or ');
}

interface Place {
  readonly line: number;
  readonly hasProperty: boolean;
}

/** None or one. */
function placesIn(file: string, className: string, property: string | undefined): Place[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const start = lines.findIndex((line) => CLASS.exec(line)?.[1] === className);
  if (start < 0) return [];
  const members = property === undefined ? [] : lines.slice(start, endOf(lines, start));
  const inside = members.findIndex((line) => MEMBER.exec(line)?.[1] === property);
  return [{ line: start + Math.max(0, inside) + 1, hasProperty: inside >= 0 }];
}

/** The line that ends a class: the first brace at the margin. */
function endOf(lines: readonly string[], start: number): number {
  const length = lines.slice(start).findIndex((line) => line.startsWith('}'));
  return length < 0 ? lines.length : start + length;
}
