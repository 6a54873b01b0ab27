import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What npm's package `node` would install: the program and its headers, for one platform. */
const PACKAGE = `node-${process.platform}-${process.arch}`;
/** npm has no such version, or no such package. */
const UNKNOWN = new Set(['ETARGET', 'E404']);
/** Addons that are compiled with later headers of this line abort the process (src/platform/INTERNALS.md). */
const SOUND_HEADERS = { line: '24', release: '24.18.1' };
const UNSOUND = 'RemoveEnvironmentCleanupHook';

/** Installs the newest release that matches. Returns its version and folders, or undefined when there is none. */
export async function installRelease(wanted, directory) {
  const folder = await install(wanted, join(directory, 'program'));
  if (folder === undefined) return undefined;
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { line, release } = SOUND_HEADERS;
  const isSound = version.split('.')[0] !== line || !headerOf(folder).includes(UNSOUND);
  const headers = isSound ? folder : await install(release, join(directory, 'headers'));
  return { version, programs: join(folder, 'bin'), headers };
}

function headerOf(folder) {
  return readFileSync(join(folder, 'include/node/node_object_wrap.h'), 'utf8');
}

async function install(release, prefix) {
  mkdirSync(prefix, { recursive: true });
  const options = ['--prefix', prefix, '--no-save', '--no-package-lock', '--ignore-scripts', '--json'];
  try {
    await promisify(execFile)('npm', ['install', ...options, `${PACKAGE}@${release}`], { cwd: prefix });
    return join(prefix, 'node_modules', PACKAGE);
  } catch (error) {
    const { code, summary = error.message } = reportOf(error.stdout);
    if (UNKNOWN.has(code)) return undefined;
    const reason = summary.trim().split('\n')[0];
    throw new Error(`npm could not install ${PACKAGE}@${release}: ${reason}`, { cause: error });
  }
}

/** What `npm --json` reports when it fails; nothing when it could not start. */
function reportOf(stdout) {
  try {
    return JSON.parse(stdout).error;
  } catch {
    return {};
  }
}
