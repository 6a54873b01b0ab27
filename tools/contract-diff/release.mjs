import { execFileSync } from 'node:child_process';
import { parseDocument } from './document.mjs';

const FILE = 'openapi.yaml';

/** A reason why nothing can be compared, in one sentence that says what to do. */
export class UsageError extends Error {}

/**
 * The contract of the last release: at `ref`, else at the newest version tag before HEAD, else at the commit that gave
 * `info.version` its present value.
 */
export function readRelease(ref) {
  if (git('rev-parse', '--is-inside-work-tree') === undefined) {
    throw new UsageError('Git knows no repository here: install git and run this in a clone.');
  }
  const base = ref ?? newestTag() ?? commitOfVersion();
  const text = contractAt(base);
  if (text === undefined) {
    throw new UsageError(
      `Git finds no ${FILE} at "${base}": name another commit or tag with --base, or fetch that one.`,
    );
  }
  return { base, text };
}

function newestTag() {
  const versions = (git('tag', '--list', 'v*', '--merged', 'HEAD') ?? '')
    .split('\n')
    .map((tag) => /^v(\d+)\.(\d+)\.(\d+)$/.exec(tag));
  const numbers = versions.filter(Boolean).map(([, ...parts]) => parts.map(Number));
  const newest = numbers.toSorted((a, b) => b[0] - a[0] || b[1] - a[1] || b[2] - a[2])[0];
  return newest && `v${newest.join('.')}`;
}

function commitOfVersion() {
  if (git('rev-parse', '--is-shallow-repository') === 'true') {
    throw new UsageError(
      'This clone has no history: run git fetch --unshallow --tags, or name the release with --base.',
    );
  }
  const commits = (git('log', '--format=%h', '--', FILE) ?? '').split('\n').filter(Boolean);
  const current = commits.length > 0 && versionAt(commits[0]);
  const change = commits.findIndex((commit) => versionAt(commit) !== current);
  const base = commits.at(change === -1 ? -1 : change - 1);
  if (base === undefined)
    throw new UsageError(`No commit has ${FILE} yet: commit it first, or name the release with --base.`);
  return base;
}

const versionAt = (commit) => parseDocument(contractAt(commit) ?? '')?.info?.version;

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
