import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMap, parse, parseDocument, stringify } from 'yaml';
import { temporaryDirectory } from '../../support/built-service.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COPIED = ['src', 'openapi.yaml', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'ormconfig.ts'];
const MIGRATION = 'CreateShelters1795219200000';

const MIGRATION_TEXT = `import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';

export class ${MIGRATION} implements MigrationInterface {
  readonly name = '${MIGRATION}';

  async up(runner: QueryRunner): Promise<void> {
    const columns = [
      { name: 'id', type: 'bigint', isPrimary: true },
      { name: 'name', type: 'text' },
      { name: 'categoryId', type: 'bigint' },
      { name: 'status', type: 'varchar', isNullable: true },
    ];
    const indices = [new TableIndex({ name: 'shelters_by_status', columnNames: ['status', 'id'] })];
    await runner.createTable(new Table({ name: 'shelters', withoutRowid: true, columns, indices }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('shelters');
  }
}
`;

const renamed = (text: string): string =>
  text.replaceAll('PET', 'SHELTER').replaceAll('Pet', 'Shelter').replaceAll('pet', 'shelter');

/** A copy of the service with a second group, `shelters`, made from the pets as docs/adding-a-group.md describes. */
export function copyWithShelters(): string {
  const copy = temporaryDirectory();
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');

  mkdirSync(join(copy, 'src/shelters'));
  for (const name of readdirSync(join(copy, 'src/pets'))) {
    const text = readFileSync(join(copy, 'src/pets', name), 'utf8');
    writeFileSync(join(copy, 'src/shelters', renamed(name)), renamed(text));
  }
  declareShelters(join(copy, 'openapi.yaml'));
  writeFileSync(join(copy, 'src/migrations/1795219200000-create-shelters.ts'), MIGRATION_TEXT);
  edit(copy, 'src/data-source.ts', [
    [
      'import { PetEntity }',
      `import { ${MIGRATION} } from './migrations/1795219200000-create-shelters.js';\nimport { ShelterEntity } from './shelters/shelter.entity.js';\nimport { PetEntity }`,
    ],
    // One line or several: a list of more entities is longer.
    [/(entities: \[[^\]]*\bPetEntity,)/, '$1 ShelterEntity,'],
    [/(migrations: \[[^\]]*?),?(\s*\])/, `$1, ${MIGRATION}$2`],
  ]);
  edit(copy, 'src/app.module.ts', [
    ['import { PetsModule }', "import { SheltersModule } from './shelters/shelters.module.js';\nimport { PetsModule }"],
    [/(FEATURES\b[^=]*= \[[^\]]*?),?(\s*\])/, '$1, SheltersModule$2'],
  ]);
  return copy;
}

/** Replaces texts in a file, and returns what restores it. Throws when a text is missing. */
export function edit(
  copy: string,
  file: string,
  changes: readonly (readonly [from: string | RegExp, to: string])[],
): () => void {
  const path = join(copy, file);
  const original = readFileSync(path, 'utf8');
  let text = original;
  for (const [from, to] of changes) {
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`${file} lacks ${String(from)}`);
    text = changed;
  }
  writeFileSync(path, text);
  return () => writeFileSync(path, original);
}

/** Removes a file, and returns what restores it. */
export function remove(copy: string, file: string): () => void {
  const path = join(copy, file);
  const original = readFileSync(path, 'utf8');
  rmSync(path);
  return () => writeFileSync(path, original);
}

type Item = Record<string, { deprecated?: boolean; responses: Record<string, { headers?: Record<string, unknown> }> }>;

/** Adds the operations and schemas of the pets under the new name, without the deprecation. */
function declareShelters(file: string): void {
  const document = parseDocument(readFileSync(file, 'utf8'), { intAsBigInt: true });
  for (const [place, isPetWord] of [
    ['paths', /^\/pets/],
    ['components.schemas', /Pet/],
  ] as const) {
    const parent = document.getIn(place.split('.'));
    if (!isMap(parent)) throw new Error(`openapi.yaml lacks ${place}`);
    const own = parent.toJSON() as Record<string, Item>;
    for (const [name, value] of Object.entries(own).filter(([key]) => isPetWord.test(key))) {
      const copied = parse(renamed(stringify(value)), { intAsBigInt: true }) as Item;
      if (place === 'paths') for (const operation of Object.values(copied)) undeprecate(operation);
      parent.set(renamed(name), document.createNode(copied));
    }
  }
  writeFileSync(file, document.toString());
}

function undeprecate(operation: Item[string]): void {
  if (!operation.deprecated) return;
  for (const name of ['deprecated', 'x-deprecated-at', 'x-sunset', 'x-successor'])
    delete (operation as unknown as Record<string, unknown>)[name];
  for (const { headers = {} } of Object.values(operation.responses))
    for (const name of ['Deprecation', 'Sunset', 'Link']) delete headers[name];
}
