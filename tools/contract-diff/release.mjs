import { execFileSync } from 'node:child_process';
import { parseDocument } from '../contract/document.mjs';

const FILE = 'openapi.yaml';

export const VERSION = /^(\d+)\.(\d+)\.(\d+)/;

/** A reason why nothing can be compared, in one sentence that says what to do. */
export class UsageError extends Error {}

/**
 * The contracts to compare with: that at `ref`, else at the newest version tag before HEAD, else at the commit that gave
 * `info.version` its present value. A tag may be missing because that commit is the release in the making, so the commit that
 * gave the version before follows then.
 */
export function readReleases(ref) {
  if (git('rev-parse', '--is-inside-work-tree') === undefined) {
    throw new UsageError('Git knows no repository here: install git and run this in a clone.');
  }
  const named = ref ?? newestTag();
  const bases = named === undefined ? commitsOfVersions() : [named];
  return bases.map((base) => ({ base, text: releasedAt(base) }));
}

function releasedAt(base) {
  const text = contractAt(base);
  if (text === undefined) {
    throw new UsageError(
      `Git finds no ${FILE} at "${base}": name another commit or tag with --base, or fetch that one.`,
    );
  }
  return text;
}

function newestTag() {
  const versions = (git('tag', '--list', 'v*', '--merged', 'HEAD') ?? '')
    .split('\n')
    .map((tag) => /^v(\d+)\.(\d+)\.(\d+)$/.exec(tag));
  const numbers = versions.filter(Boolean).map(([, ...parts]) => parts.map(Number));
  const newest = numbers.toSorted((a, b) => b[0] - a[0] || b[1] - a[1] || b[2] - a[2])[0];
  return newest && `v${newest.join('.')}`;
}

/** The commits that gave `info.version` its present value and, if there is one, the value before. */
function commitsOfVersions() {
  if (git('rev-parse', '--is-shallow-repository') === 'true') {
    throw new UsageError(
      'This clone has no history: run git fetch --unshallow --tags, or name the release with --base.',
    );
  }
  const commits = (git('log', '--format=%h', '--', FILE) ?? '').split('\n').filter(Boolean);
  if (commits.length === 0)
    throw new UsageError(`No commit has ${FILE} yet: commit it first, or name the release with --base.`);
  const present = countOfVersion(commits);
  const earlier = commits.slice(present);
  // A contract that was missing or unfinished in the past is no release.
  const before = VERSION.test(versionAt(earlier[0])) ? [earlier[countOfVersion(earlier) - 1]] : [];
  return [commits[present - 1], ...before];
}

/** How many of these commits, the newest first, share the version of the newest one. */
function countOfVersion(commits) {
  const version = versionAt(commits[0]);
  const change = commits.findIndex((commit) => versionAt(commit) !== version);
  return change === -1 ? commits.length : change;
}

/** Undefined where the contract is missing or not YAML. */
function versionAt(commit) {
  try {
    return parseDocument(contractAt(commit) ?? '')?.info?.version;
  } catch {
    return undefined;
  }
}

const contractAt = (commit) => git('show', '--end-of-options', `${commit}:./${FILE}`);

/** The output, or undefined when git fails. */
function git(...args) {
  try {
    return execFileSync('git', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trimEnd();
  } catch {
    return undefined;
  }
}
