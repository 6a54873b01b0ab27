import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../../support/built-service.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

interface LockedPackage {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
}

interface Bill {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly { readonly 'bom-ref': string; readonly licenses: unknown }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface End {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly bill: Bill;
}

async function run(cwd: string, out: string, env = process.env): Promise<Omit<End, 'bill'>> {
  const command = promisify(execFile)(process.execPath, [join(ROOT, 'tools/sbom/run.mjs'), '--out', out], { cwd, env });
  return command.then(
    (output) => ({ code: 0, ...output }),
    ({ code, stdout, stderr }: Omit<End, 'bill'>) => ({ code, stdout, stderr }),
  );
}

async function sbom(cwd: string): Promise<End> {
  const out = join(temporaryDirectory(), 'reports/sbom.json');
  return { ...(await run(cwd, out)), bill: JSON.parse(readFileSync(out, 'utf8')) as Bill };
}

/** A project with these packages. */
function project(locked: Record<string, LockedPackage>): string {
  const cwd = temporaryDirectory();
  const versions = (isDev: boolean) =>
    Object.fromEntries(
      Object.entries(locked)
        .filter(([, { dev = false }]) => dev === isDev)
        .map(([name, { version }]) => [name, version]),
    );
  const root = { name: 'shop', version: '1.0.0', dependencies: versions(false), devDependencies: versions(true) };
  const packages = Object.entries(locked).map(([name, entry]) => [`node_modules/${name}`, entry]);
  const lock = { ...root, lockfileVersion: 3, packages: { '': root, ...Object.fromEntries(packages) } };
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(root));
  writeFileSync(join(cwd, 'package-lock.json'), JSON.stringify(lock));
  return cwd;
}

describe('npm run sbom', () => {
  it('lists every production package of this project, each with an accepted licence', async () => {
    const { code, stdout, stderr, bill } = await sbom(ROOT);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^MIT +\d+ /);
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'pet-store' } } });
    const names = bill.components.map((component) => component['bom-ref'].replace(/@[^@]+$/, ''));
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: object };
    expect(names).toEqual(expect.arrayContaining([...Object.keys(dependencies), 'express', 'bindings']));
    // A development package here, and an optional peer of @nestjs/swagger: `npm ci --omit=dev` installs it.
    expect(names).toContain('typescript');
    expect(names).not.toContain('jest');
    expect(bill.components.filter(({ licenses }) => licenses === undefined)).toEqual([]);
    const listed = new Set(bill.components.map((component) => component['bom-ref']));
    expect(bill.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((name) => !listed.has(name))).toEqual([]);
  });

  it('refuses unknown and copyleft licences of production packages, and reports each in one sentence', async () => {
    const refused = {
      agpl: 'AGPL-3.0-only',
      both: 'MIT AND GPL-2.0-only',
      broken: '(MIT OR ISC',
      gpl: 'GPL-3.0-or-later',
      lesser: 'LGPL-2.1-only',
      nested: '(MIT AND (GPL-3.0-only OR MPL-2.0))',
      own: 'SEE LICENSE IN LICENSE.txt',
      rest: 'MIT ISC',
      'un-licensed': 'UNLICENSED',
    };
    const accepted = { choice: '(GPL-3.0-only OR MIT)', free: 'MIT', pair: '(ISC AND (MIT OR GPL-2.0-only))' };
    const locked = Object.entries({ ...refused, ...accepted }).map(([name, license]) => [
      name,
      { version: '1.2.3', license },
    ]);
    const cwd = project({
      ...Object.fromEntries(locked),
      missing: { version: '1.2.3' },
      // Runs in development only, and is not distributed.
      tool: { version: '1.2.3', license: 'GPL-3.0-only', dev: true },
    });
    const { code, stderr } = await sbom(cwd);
    expect(code).toBe(1);
    const advice = 'replace the package, or accept the licence in tools/sbom/licences.mjs.';
    expect(stderr.trimEnd().split('\n').toSorted()).toEqual(
      [...Object.entries(refused), ['missing', 'unknown']]
        .map(([name, licence]) => `The licence of ${name}@1.2.3 is ${licence}: ${advice}`)
        .toSorted(),
    );
  });

  it('reads the licences of an old package from its own package.json', async () => {
    const cwd = project({ old: { version: '0.1.0' } });
    mkdirSync(join(cwd, 'node_modules/old'), { recursive: true });
    writeFileSync(join(cwd, 'node_modules/old/package.json'), JSON.stringify({ licenses: [{ type: 'MIT' }] }));
    const { code, bill } = await sbom(cwd);
    expect(code).toBe(0);
    expect(bill.components[0]).toMatchObject({ 'bom-ref': 'old@0.1.0', licenses: [{ expression: 'MIT' }] });
  });

  it('says in one sentence what to do when there is no list of packages', async () => {
    const out = join(temporaryDirectory(), 'sbom.json');
    const refused = (stderr: string) => ({ code: 1, stdout: '', stderr });
    const without = (name: string) => ({ ...process.env, PATH: join(temporaryDirectory(), name) });
    const advice = 'run "npm install", which corrects package-lock.json, or update npm if it has no command sbom.';
    expect(await run(project({}), out, without('npm'))).toEqual(
      refused(`npm sbom failed (spawnSync npm ENOENT): ${advice}\n`),
    );
    const incomplete = project({ lost: { version: '1.2.3' } });
    const lock = join(incomplete, 'package-lock.json');
    const { packages, ...rest } = JSON.parse(readFileSync(lock, 'utf8')) as { packages: Record<string, object> };
    writeFileSync(lock, JSON.stringify({ ...rest, packages: { '': packages[''] } }));
    expect(await run(incomplete, out)).toEqual(
      refused(`npm sbom failed (missing: lost@1.2.3, required by shop@1.0.0): ${advice}\n`),
    );
    rmSync(lock);
    expect(await run(incomplete, out)).toEqual(
      refused('package-lock.json cannot be read: run "npm install", which writes it.\n'),
    );
  });
});
