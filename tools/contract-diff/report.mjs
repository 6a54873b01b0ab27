import { ADDITIVE, BREAKING, VERDICTS } from './context.mjs';
import { UsageError, VERSION } from './release.mjs';

/** The changes with what follows from them for `info.version`. */
export function reportOf(base, before, after, changes) {
  const [released, current] = [before, after].map((document) => versionOf(document?.info?.version));
  const counts = Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, changes.filter((change) => change.verdict === verdict).length]),
  );
  return {
    base,
    released: released.join('.'),
    version: current.join('.'),
    counts,
    passed: counts[BREAKING] === 0 || current[0] > released[0],
    advice: adviceOf(counts, released, current),
    changes: changes.toSorted((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict)),
  };
}

function versionOf(version) {
  const [, ...parts] = VERSION.exec(version) ?? [];
  if (parts.length === 0) throw new UsageError(`info.version is "${version}": make it a version such as 1.0.0.`);
  return parts.map(Number);
}

function adviceOf(counts, [major, minor], current) {
  const isNewMajor = current[0] > major;
  if (counts[BREAKING] > 0 && !isNewMajor) {
    return `Breaking changes require a new major version: set info.version to ${major + 1}.0.0, or take them back.`;
  }
  if (counts[ADDITIVE] > 0 && !isNewMajor && current[1] <= minor) {
    return `Note: a release with additive changes is usually a new minor version, ${major}.${minor + 1}.0.`;
  }
  return undefined;
}

const COLUMNS = ['direction', 'verdict', 'place', 'what'];

export function textOf({ base, released, version, counts, advice, changes }) {
  const total = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  const parts = VERDICTS.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ');
  const summary = `${total} of openapi.yaml since ${base} (version ${released}, now ${version}): ${parts}.`;
  return [...tableOf(changes), summary, ...(advice === undefined ? [] : [advice])].join('\n');
}

function tableOf(changes) {
  if (changes.length === 0) return [];
  const rows = [
    ['Direction', 'Verdict', 'Place', 'What changed'],
    ...changes.map((change) => COLUMNS.map((name) => change[name])),
  ];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return [
    ...rows.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    ),
    '',
  ];
}
