import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of a module's package; it may be inside that of another one. */
const PACKAGE = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
/** Apache-2.0 also requires the NOTICE. */
const TEXT = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;
/** Some packages have their licence only at the end of their README.md. */
const CHAPTER = /^#+ *licen[cs]e\s*\n([^]*Permission is hereby granted[^]*)/im;

/** The folders of the packages of which esbuild's output has code. */
export function bundledPackages({ outputs }) {
  // The metafile's own inputs include what tree shaking has dropped.
  const modules = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return modules.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []);
}

/** Names, versions and licence texts of packages: nearly every licence requires its text beside each copy of the code. */
export function noticesOf(folders) {
  // A package may be installed at several places.
  const notices = new Set([...new Set(folders)].map(noticeOf));
  return [...notices].toSorted().join(`\n${'-'.repeat(80)}\n\n`);
}

function noticeOf(folder) {
  const { name, version } = JSON.parse(readText(join(folder, 'package.json')));
  const texts = textsOf(folder, name).map((text) => text.replaceAll(/^\ufeff|\r/g, '').trim());
  return `${name} ${version}\n\n${texts.join('\n\n')}\n`;
}

const readText = (file) => readFileSync(file, 'utf8');

function textsOf(folder, name) {
  const files = readdirSync(folder).filter((file) => TEXT.test(file));
  if (files.length > 0) return files.toSorted().map((file) => readText(join(folder, file)));
  const readme = join(folder, 'README.md');
  const chapter = existsSync(readme) ? CHAPTER.exec(readText(readme)) : null;
  if (chapter) return [chapter[1]];
  const own = fileURLToPath(new URL(`licences/${name.replace('/', '+')}.txt`, import.meta.url));
  if (existsSync(own)) return [readText(own)];
  throw new Error(`The package ${name} has no licence text; copy it from its repository to ${own}.`);
}
