import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folderOf, isBelow, type Source, sources } from './sources.js';

const PLATFORM = 'platform';
const MOST_FILES = 13;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const folders = [...new Set(sources.map(({ name }) => folderOf(name)))];
/** Every folder of src that has no other role. */
const FEATURES = folders.filter((folder) => !/^(\.|commands|migrations|platform\/.*)$/.test(folder));
/** Those whose modules any feature may import, such as `pricing`. They import no feature. */
const SHARED: readonly string[] = [];

/**
 * The other folders that each folder may import. The files directly in src compose the application and may import all of
 * them. oxlint finds cycles between single files (ADR 11).
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'platform/values': [],
  'platform/errors': [],
  'platform/process': ['platform/errors'],
  'platform/composition': ['platform/errors', 'platform/process'],
  'platform/idempotency': ['platform/errors', 'platform/process', 'platform/values'],
  'platform/paging': ['platform/values'],
  'platform/validation': ['platform/values'],
  'platform/contract/source': ['platform/process'],
  'platform/contract/patterns': ['platform/contract/source'],
  'platform/contract/schemas': ['platform/contract/patterns', 'platform/contract/source', 'platform/values'],
  'platform/contract/constructs': ['platform/contract/schemas', 'platform/contract/source'],
  'platform/contract/requests': ['platform/contract/schemas', 'platform/contract/source', 'platform/values'],
  'platform/contract/responses': ['platform/contract/schemas', 'platform/contract/source', 'platform/values'],
  'platform/contract': [
    'platform/contract/constructs',
    'platform/contract/requests',
    'platform/contract/responses',
    'platform/contract/schemas',
    'platform/contract/source',
  ],
  'platform/database/tables/columns': ['platform/process', 'platform/values'],
  'platform/database/tables/changes': ['platform/database/tables', 'platform/database/tables/columns'],
  'platform/database/tables': [
    'platform/database/tables/columns',
    'platform/errors',
    'platform/idempotency',
    'platform/process',
    'platform/values',
  ],
  'platform/database/transactions': [
    'platform/database/tables',
    'platform/database/tables/changes',
    'platform/database/tables/columns',
    'platform/idempotency',
    'platform/process',
  ],
  'platform/database/sqlite/files': ['platform/process'],
  'platform/database/sqlite': [
    'platform/errors',
    'platform/database/sqlite/files',
    'platform/database/tables',
    'platform/database/tables/changes',
    'platform/database/tables/columns',
    'platform/database/transactions',
    'platform/idempotency',
    'platform/process',
    'platform/values',
  ],
  'platform/database/postgres': ['platform/database/tables', 'platform/errors', 'platform/process', 'platform/values'],
  'platform/database/postgres/tables': [
    'platform/database/postgres',
    'platform/database/tables',
    'platform/database/tables/changes',
    'platform/database/tables/columns',
    'platform/database/transactions',
    'platform/idempotency',
    'platform/values',
  ],
  'platform/database/schema': ['platform/database/tables/columns'],
  'platform/database/migrations/runners': ['platform/database/schema', 'platform/database/tables/columns'],
  'platform/database/migrations': [
    'platform/database/migrations/runners',
    'platform/database/postgres',
    'platform/database/schema',
    'platform/database/sqlite',
    'platform/database/sqlite/files',
    'platform/database/tables/columns',
    'platform/errors',
    'platform/process',
  ],
  'platform/database/keyed': [
    'platform/database/postgres/tables',
    'platform/database/served',
    'platform/database/sqlite',
    'platform/database/tables',
    'platform/database/tables/changes',
    'platform/database/tables/columns',
    'platform/database/transactions',
    'platform/errors',
    'platform/idempotency',
    'platform/process',
  ],
  'platform/database/served': [
    'platform/database/postgres',
    'platform/database/sqlite/files',
    'platform/database/tables',
    'platform/errors',
    'platform/process',
  ],
  'platform/database/standbys': [
    'platform/database/served',
    'platform/database/postgres',
    'platform/database/postgres/tables',
    'platform/database/tables',
    'platform/database/tables/columns',
    'platform/database/transactions',
    'platform/errors',
  ],
  'platform/database': [
    'platform/database/keyed',
    'platform/database/migrations',
    'platform/database/schema',
    'platform/database/served',
    'platform/database/postgres',
    'platform/database/postgres/tables',
    'platform/database/sqlite',
    'platform/database/sqlite/files',
    'platform/database/standbys',
    'platform/database/tables',
    'platform/database/tables/columns',
    'platform/database/transactions',
    'platform/errors',
    'platform/idempotency',
    'platform/process',
  ],
  'platform/copy': [
    'platform/database',
    'platform/database/postgres',
    'platform/database/sqlite',
    'platform/database/sqlite/files',
    'platform/database/tables',
    'platform/database/tables/columns',
    'platform/process',
    'platform/values',
  ],
  'platform/http/dtos': ['platform/contract/requests', 'platform/process', 'platform/validation'],
  'platform/http/handlers': [
    'platform/contract',
    'platform/contract/requests',
    'platform/contract/responses',
    'platform/contract/source',
    'platform/errors',
    'platform/http/dtos',
    'platform/http/request',
    'platform/process',
    'platform/validation',
  ],
  'platform/http/internals': ['platform/http/request', 'platform/process'],
  'platform/http/request': ['platform/contract', 'platform/errors', 'platform/idempotency'],
  'platform/http/load': ['platform/errors', 'platform/http/internals', 'platform/http/request', 'platform/process'],
  'platform/http/middleware': ['platform/http/request', 'platform/process'],
  'platform/http/outcomes': ['platform/http/request'],
  'platform/http/response': [
    'platform/contract',
    'platform/contract/responses',
    'platform/errors',
    'platform/http/outcomes',
    'platform/http/request',
    'platform/process',
    'platform/values',
  ],
  'platform/http/server': [
    'platform/errors',
    'platform/http/internals',
    'platform/http/load',
    'platform/http/outcomes',
    'platform/http/request',
    'platform/http/response',
    'platform/process',
  ],
  'platform/http': [
    'platform/contract',
    'platform/contract/requests',
    'platform/contract/responses',
    'platform/errors',
    'platform/http/internals',
    'platform/idempotency',
    'platform/http/handlers',
    'platform/http/load',
    'platform/http/middleware',
    'platform/http/outcomes',
    'platform/http/request',
    'platform/http/response',
    'platform/http/server',
    'platform/process',
    'platform/values',
  ],
  'platform/metrics': [
    'platform/contract',
    'platform/database/postgres',
    'platform/database/served',
    'platform/database/standbys',
    'platform/database/tables',
    'platform/http/outcomes',
    'platform/process',
  ],
  migrations: [],
  commands: ['.', ...FEATURES],
  ...Object.fromEntries(FEATURES.map((feature) => [feature, SHARED.includes(feature) ? [] : SHARED])),
};

/** The platform's README lists the files that an application may import. */
const README = readFileSync(new URL('../../src/platform/README.md', import.meta.url), 'utf8');
const [, PUBLIC_SECTION = ''] = /^## What an application may import$(.*?)^## /ms.exec(README) ?? [];
const [FOR_FEATURES = '', FOR_COMPOSITION = ''] = PUBLIC_SECTION.split(/^Start, composition and commands:$/m);
const filesOf = (list: string): string[] => [...list.matchAll(/^- `(.+?)`/gm)].map(([, file]) => `${PLATFORM}/${file}`);
const PUBLIC = [...filesOf(FOR_FEATURES), ...filesOf(FOR_COMPOSITION)];

const isPlatform = (name: string): boolean => isBelow(PLATFORM, name);
const application = sources.filter(({ name }) => !isPlatform(name));

/** The folder of every file of src, test, bench, client and tools, without what the benchmark generates. */
const foldersOfFiles = ['src', 'test', 'bench', 'client', 'tools'].flatMap((root) =>
  readdirSync(join(ROOT, root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath }) => relative(ROOT, parentPath))
    .filter((folder) => !/^(bench\/(dist|results)|client\/dist)\b/.test(folder)),
);

/** `importer imports imported` for each import that matches. */
function importsOf(among: readonly Source[], isMatch: (imported: string, importer: string) => boolean): string[] {
  return among.flatMap(({ name, imports }) =>
    imports.filter((imported) => isMatch(imported, name)).map((imported) => `${name} imports ${imported}`),
  );
}

describe('the folders of src', () => {
  it('all have an entry in MAY_IMPORT', () => {
    expect(folders.filter((folder) => folder !== '.').toSorted()).toEqual(Object.keys(MAY_IMPORT).toSorted());
  });

  it.each(Object.entries(MAY_IMPORT))('%s imports only %j', (folder, allowed) => {
    const violations = importsOf(
      sources.filter(({ name }) => folderOf(name) === folder),
      (imported) => {
        if (isPlatform(imported) && !isPlatform(`${folder}/`)) return false;
        return folderOf(imported) !== folder && !allowed.includes(folderOf(imported));
      },
    );
    expect(violations).toEqual([]);
  });

  it('have no import cycles', () => {
    const reaches = (from: string, to: string): boolean =>
      (MAY_IMPORT[from] ?? []).some((next) => next === to || reaches(next, to));
    expect(Object.keys(MAY_IMPORT).filter((folder) => reaches(folder, folder))).toEqual([]);
  });
});

describe('the folders of src, test, bench, client and tools', () => {
  it(`have at most ${MOST_FILES} files`, () => {
    const all = [...new Set(foldersOfFiles)];
    expect(all).toEqual(expect.arrayContaining(['src', 'test', 'bench', 'client/src', 'tools/contract-diff']));
    const large = all.filter((folder) => foldersOfFiles.filter((other) => other === folder).length > MOST_FILES);
    expect(large).toEqual([]);
  });
});

describe('the platform', () => {
  it('imports nothing from the application', () => {
    expect(
      importsOf(
        sources.filter(({ name }) => isPlatform(name)),
        (imported) => !isPlatform(imported),
      ),
    ).toEqual([]);
  });

  it('lists every platform file that the application imports', () => {
    expect(PUBLIC.length).toBeGreaterThan(10);
    expect(importsOf(application, (imported) => isPlatform(imported) && !PUBLIC.includes(imported))).toEqual([]);
  });

  it('lists every platform file that a feature imports', () => {
    const features = application.filter(({ name }) => FEATURES.includes(folderOf(name)));
    expect(features.length).toBeGreaterThan(10);
    const allowed = filesOf(FOR_FEATURES);
    expect(importsOf(features, (imported) => isPlatform(imported) && !allowed.includes(imported))).toEqual([]);
  });

  it('lists no file for the composition that the application does not import', () => {
    const imported = new Set(application.flatMap(({ imports }) => imports));
    expect(filesOf(FOR_COMPOSITION).filter((file) => !imported.has(file))).toEqual([]);
  });

  it('lists only files that exist', () => {
    const names = new Set(sources.map(({ name }) => name));
    expect(PUBLIC.filter((file) => !names.has(file))).toEqual([]);
  });

  it('lists no file twice', () => {
    expect(PUBLIC.filter((file, at) => PUBLIC.indexOf(file) !== at)).toEqual([]);
  });
});
