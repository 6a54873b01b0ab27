import { afterAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listeningPort, spawnProcess, temporaryDirectory } from '../support/built-service.js';
import { Client } from '../support/http/client.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOBODY = 65_534;
/** Root could write to read-only files. */
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

const directory = temporaryDirectory();
const dockerfile = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
const [packages, build, image] = dockerfile.split(/^FROM /m).slice(1);

/** The arguments of an instruction in one stage. */
const instructions = (stage: string | undefined, name: string): string[] =>
  [...stage!.matchAll(new RegExp(`^\\s*${name} (.*)`, 'gm'))].map(([, rest]) => rest!);
const arrayOf = (text: string): string[] => JSON.parse(/\[.*\]/.exec(text)![0]) as string[];

/** Executes the COPY instructions of a stage. */
function copy(stage: string | undefined, name: string): string {
  mkdirSync(join(directory, name), { recursive: true });
  for (const line of instructions(stage, 'COPY')) {
    const [, from, rest] = /^(?:--from=(\S+) )?(.*)/.exec(line)!;
    const files = rest!.split(' ');
    const target = files.pop()!;
    for (const file of files) {
      const source = from === undefined ? join(ROOT, file) : join(directory, from, file.replace('/app/', ''));
      const place = target === './' ? file : target.replace(/\/$/, `/${basename(file)}`);
      cpSync(source, join(directory, name, place), { recursive: true });
    }
  }
  return join(directory, name);
}

/** Steps that require the network or another system: what they install is copied or linked here instead. */
const ELSEWHERE = /^(apt-get update|npm ci|install -d -o node) /;

/** Executes the RUN instructions of a stage. */
function runSteps(stage: string | undefined, cwd: string): void {
  const steps = instructions(stage, 'RUN').filter((step) => !ELSEWHERE.test(`${step} `));
  for (const step of steps) execFileSync('sh', ['-c', step], { cwd, stdio: 'pipe' });
}

/** Bytes of all files. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Copies the packages that `npm ci --omit=dev` would install. */
function copyPackages(into: string): void {
  const lock = JSON.parse(readFileSync(join(into, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  for (const [path, { dev, devOptional }] of Object.entries(lock.packages)) {
    if (path === '' || dev || devOptional || !existsSync(join(ROOT, path))) continue;
    const isNested = (file: string): boolean => file.slice(join(ROOT, path).length).includes('node_modules');
    cpSync(join(ROOT, path), join(into, path), { recursive: true, filter: (file) => !isNested(file) });
  }
}

/** What the image adds to Node's: 12 MB, where every production package would be 174 MB. */
const LARGEST = 20 * 2 ** 20;

/** The dependencies of which the image has neither the package nor a notice. */
function withoutLicence(app: string): string[] {
  const { dependencies } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')) as { dependencies: object };
  const notices = readFileSync(join(app, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
  return Object.keys(dependencies).filter(
    (name) => !existsSync(join(app, 'node_modules', name)) && !new RegExp(`^${name} \\d`, 'm').test(notices),
  );
}

/** Runs every command of the image beside the service. */
async function commands(run: (command: readonly string[]) => ReturnType<typeof spawnProcess>) {
  const copied = `sqlite:${join(directory, 'data/copy.sqlite')}`;
  const ends = [];
  for (const command of [
    ['migrate.js'],
    ['keys.js', 'create', 'shop'],
    ['seed.js', '--pets', '10'],
    ['db-copy.js', '--from', `sqlite:${join(directory, 'data/pets.sqlite')}`, '--to', copied],
    ['backup.js', '--to', join(directory, 'data/backup.sqlite')],
  ]) {
    const [file, ...args] = command;
    ends.push({ file, ...(await run(['node', `dist/commands/${file}`, ...args]).exit) });
  }
  return ends;
}

// Allow the removal of the read-only folders.
afterAll(() => void execFileSync('chmod', ['-R', 'u+w', directory]));

it('the image of deploy/Dockerfile runs as an unprivileged user on a read-only file system', async () => {
  const installed = copy(packages, 'packages');
  copyPackages(installed);
  runSteps(packages, installed);
  const built = copy(build, 'build');
  symlinkSync(join(ROOT, 'node_modules'), join(built, 'node_modules'), 'junction');
  runSteps(build, built);
  const app = copy(image, 'image');
  expect(sizeOf(app)).toBeLessThan(LARGEST);
  expect(readdirSync(app).toSorted()).toEqual(['LICENSE', 'dist', 'node_modules', 'openapi.yaml', 'package.json']);
  expect(withoutLicence(app)).toEqual([]);
  const data = join(directory, 'data');
  mkdirSync(data);
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid);
  chmodSync(directory, 0o755);
  execFileSync('chmod', ['-R', 'a-w,a+rX', app]);

  const env = { PATH: process.env.PATH, NODE_ENV: 'production', DATABASE_URL: `sqlite:${join(data, 'pets.sqlite')}` };
  const run = ([command, ...args]: readonly string[], variables: Record<string, string> = {}) =>
    spawnProcess(command!, args, { cwd: app, env: { ...env, ...variables }, ...user });
  const { child, output, exit } = run(arrayOf(instructions(image, 'CMD').at(-1)!), { HOST: '127.0.0.1', PORT: '0' });
  const port = await listeningPort(output, exit);
  const api = new Client({ port });
  expect((await api.get('/ready')).status).toBe(200);
  api.close();
  const healthy = run(arrayOf(instructions(image, 'HEALTHCHECK')[0]!), { PORT: String(port) });
  expect(await healthy.exit).toEqual({ code: 0, signal: null });
  const names = readdirSync(join(app, 'dist/commands')).filter((name) => !name.startsWith('shared-'));
  const ends = names.map((file) => ({ file, code: 0, signal: null }));
  expect(await commands(run)).toEqual(expect.arrayContaining(ends));
  child.kill('SIGTERM');
  expect(await exit).toEqual({ code: 0, signal: null });
}, 180_000);
