import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { spawnProcess, temporaryDirectory } from '../../support/built-service.js';
import { copyWithShelters, edit, remove } from './shelters.js';

/** Milliseconds for compiling the whole service. */
const TIME = 180_000;
const CONTROLLER = 'src/shelters/shelters.controller.ts';
const ENTITY = 'src/shelters/shelter.entity.ts';
const MODULE = 'src/shelters/shelters.module.ts';
const MIGRATION_FILE = 'src/migrations/1795219200000-create-shelters.ts';

interface State {
  /** What is missing. */
  readonly lacks: string;
  /** What undoes one step of docs/adding-a-group.md. */
  readonly undo: (copy: string) => () => void;
  /** The first error says what is missing, and where. */
  readonly error: string | RegExp;
}

const change = (file: string, from: string | RegExp, to: string) => (copy: string) => edit(copy, file, [[from, to]]);

/** States in which the service compiles: the start fails. */
const AT_START: readonly State[] = [
  {
    lacks: 'a handler of an operation',
    undo: change(CONTROLLER, /  @Get\(':shelterId'\)[^]*?\n {2}\}\n/, ''),
    error:
      'No controller handles getShelter (GET /v1/shelters/{shelterId}); add a handler, or remove the operation here.',
  },
  {
    lacks: 'the operation of a handler',
    undo: change('openapi.yaml', /\n {2}\/shelters\/\{shelterId\}:[^]*?(?=\n {2}\/|\n\S)/, ''),
    error:
      'SheltersController.get handles GET /v1/shelters/:shelterId, which is not declared here; declare it, or remove the handler.',
  },
  {
    lacks: 'the status of an error',
    undo: change(
      'openapi.yaml',
      /(\/shelters\/\{shelterId\}:[^]*?)\n +["']?404["']?:[^]*?(?=\n +["']?500["']?:)/,
      '$1',
    ),
    error: /openapi\.yaml:\d+:\d+ the operation must declare 404: its path can be invalid\./,
  },
  {
    lacks: 'a member of a DTO that no code reads',
    undo: change('openapi.yaml', /(\n {4}NewShelter:[^]*?\n( +)properties:\n)/, '$1$2  colour:\n$2    type: string\n'),
    error:
      /openapi\.yaml:\d+:\d+ colour is declared here, but NewShelter has no rule for it; give the member one there, such as @Allow\(\), or remove it here\./,
  },
  {
    lacks: 'the status of @HttpCode',
    undo: (copy) =>
      edit(copy, CONTROLLER, [
        ['  @Post()\n', '  @Post()\n  @HttpCode(202)\n'],
        ['Get,', 'Get, HttpCode,'],
      ]),
    error:
      'SheltersController.create responds with 202, which openapi.yaml does not declare for createShelter; declare the status there.',
  },
  {
    lacks: 'a listed entity',
    undo: change('src/data-source.ts', 'ShelterEntity, ', ''),
    error:
      /^src\/shelters\/shelter\.entity\.ts:\d+ ShelterEntity is not an entity of the DataSource; add it to "entities" in src\/data-source\.ts, or let a module provide the DataSource that lists it\./,
  },
  {
    lacks: 'a listed entity that only transactions use',
    undo: change(ENTITY, /$/, "\n@Entity('keepers')\nexport class KeeperEntity {\n  id: bigint;\n}\n"),
    error:
      /^src\/shelters\/shelter\.entity\.ts:\d+ KeeperEntity is not an entity of the DataSource; add it to "entities" in src\/data-source\.ts, or let a module provide the DataSource that lists it\./,
  },
  {
    lacks: 'a subscriber that something calls',
    undo: (copy) =>
      edit(copy, ENTITY, [
        ['Entity,', 'Entity, EventSubscriber,'],
        [/$/, '\n@EventSubscriber()\nexport class ShelterAudit {}\n'],
      ]),
    error: /^src\/shelters\/shelter\.entity\.ts:\d+ Tables call no subscribers; move ShelterAudit into the service\./,
  },
  {
    lacks: 'a value that a default of the entity only seems to set',
    undo: change(ENTITY, "type: 'varchar', nullable: true", "type: 'varchar', nullable: true, default: 'sold'"),
    error:
      /^src\/shelters\/shelter\.entity\.ts:\d+ Tables ignore a default of ShelterEntity\.status; set the value in the service\./,
  },
  {
    lacks: 'a listed migration',
    undo: change('src/data-source.ts', ', CreateShelters1795219200000]', ']'),
    error: /lacks .*shelters.*; name the migration that adds it in src\/data-source\.ts, then run "npm run migrate"\./,
  },
  {
    lacks: 'a listed module',
    undo: change('src/app.module.ts', ', SheltersModule]', ']'),
    error:
      /^\S+\/openapi\.yaml:\d+:\d+ No controller handles listShelters \(GET \/v1\/shelters\), createShelter \(POST \/v1\/shelters\), getShelter/,
  },
  {
    lacks: 'a listed controller',
    undo: change(MODULE, 'controllers: [SheltersController],', ''),
    error:
      /^\S+\/openapi\.yaml:\d+:\d+ No controller handles listShelters \(GET \/v1\/shelters\), createShelter \(POST \/v1\/shelters\), getShelter/,
  },
  {
    lacks: 'a provided table',
    undo: change(MODULE, 'imports: [DatabaseModule.forFeature(ShelterEntity)],', ''),
    error:
      /^src\/shelters\/shelters\.module\.ts:\d+ SheltersModule lacks the table of ShelterEntity that SheltersService takes; add DatabaseModule\.forFeature\(ShelterEntity\) to "imports" there\.$/m,
  },
  {
    lacks: 'a listed service',
    undo: change(MODULE, 'providers: [SheltersService],', ''),
    error:
      /^src\/shelters\/shelters\.module\.ts:\d+ SheltersModule lacks SheltersService \(src\/shelters\/shelters\.service\.ts:\d+\) that SheltersController takes; add it to "providers" there, or a module that exports it to "imports"\.$/m,
  },
];

const KEEPER =
  "\n@Entity('keepers')\nexport class KeeperEntity {\n  @PrimaryColumn({ type: 'integer' })\n  id: number;\n}\n";

/** How a module provides a database of its own, whose entities src/data-source.ts does not list. */
const OTHER_DATABASES: readonly (readonly [how: string, to: string, imported: string])[] = [
  [
    'a provider',
    `providers: [{ provide: 'KEEPERS', useFactory: () => new DataSource({ type: 'better-sqlite3', database: ':memory:', entities: [KeeperEntity] }) }, `,
    "import { DataSource } from 'typeorm';",
  ],
  [
    'TypeOrmModule',
    "imports: [TypeOrmModule.forRoot({ name: 'keepers', type: 'better-sqlite3', database: ':memory:', autoLoadEntities: true }), TypeOrmModule.forFeature([KeeperEntity], 'keepers'), ",
    "import { TypeOrmModule } from '@nestjs/typeorm';",
  ],
];

/** States that do not compile. */
const AT_COMPILE_TIME: readonly State[] = [
  {
    lacks: 'the code of an error',
    undo: change('src/shelters/shelter.errors.ts', "  readonly code = 'SHELTER_NOT_FOUND';\n", ''),
    error:
      /^src\/shelters\/shelter\.errors\.ts\(\d+,\d+\): .*'ShelterNotFound' .* member code from class 'DomainError'/,
  },
  {
    lacks: 'a member of a DTO',
    undo: change('src/shelters/shelters.dto.ts', '  @Int64Field()\n  categoryId: bigint;\n', ''),
    error: /^src\/shelters\/shelters\.service\.ts\(\d+,\d+\): .*'categoryId' does not exist on type 'NewShelter'/,
  },
  {
    lacks: 'the type of a member of a DTO',
    undo: change('src/shelters/shelters.dto.ts', 'categoryId: bigint;', 'categoryId: number;'),
    error:
      /^src\/shelters\/shelters\.service\.ts\(\d+,\d+\): .*'Shelter\[\]'[^]*'categoryId' are incompatible[^]*'bigint' is not assignable to type 'number'/,
  },
  {
    lacks: 'a migration that is listed',
    undo: (copy) => remove(copy, MIGRATION_FILE),
    error: /^src\/data-source\.ts\(\d+,\d+\): .*Cannot find module '\.\/migrations\/1795219200000-create-shelters\.js'/,
  },
];

describe('a half-finished group', () => {
  let copy: string;
  let restore: () => void = () => {};

  /** The output of the compiler; empty on success. */
  const compile = (...flags: readonly string[]): Promise<string> => {
    const args = [join(copy, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json', ...flags];
    return promisify(execFile)(process.execPath, args, { cwd: copy }).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  };

  /** Compiles the changed files only, without checking types, which the compile-time states do. */
  const compileChanged = (): void => {
    const config = ts.parseConfigFileTextToJson('tsconfig.json', readFileSync(join(copy, 'tsconfig.json'), 'utf8'));
    const { compilerOptions: declared } = config.config as { compilerOptions: object };
    // Without a package.json in view, `nodenext` would mean CommonJS.
    const modules = { ...declared, module: 'es2022', moduleResolution: 'bundler' };
    const { options } = ts.convertCompilerOptionsFromJson(modules, copy);
    for (const file of ['src/app.module.ts', 'src/data-source.ts', CONTROLLER, ENTITY, MODULE]) {
      const output = join(copy, 'dist', file.replace(/\.ts$/, '.js'));
      const text = readFileSync(join(copy, file), 'utf8');
      writeFileSync(output, ts.transpileModule(text, { compilerOptions: options, fileName: file }).outputText);
      expect(statSync(output).size).toBeGreaterThan(0);
    }
  };

  /** What the start writes, up to its first error or its greeting. */
  const start = async (): Promise<string> => {
    const directory = temporaryDirectory();
    const env = {
      PATH: process.env.PATH,
      PORT: '0',
      LOG_LEVEL: 'error',
      DATABASE_URL: `sqlite:${join(directory, 'x')}`,
    };
    const { child, exit } = spawnProcess(process.execPath, ['dist/src/main.js'], { cwd: copy, env });
    let output = '';
    child.stdout.on('data', (text: string) => {
      output += text;
      if (output.includes('/docs')) child.kill();
    });
    child.stderr.on('data', (text: string) => (output += text));
    await exit;
    rmSync(directory, { recursive: true, force: true });
    return output;
  };

  beforeAll(async () => {
    copy = copyWithShelters();
    expect(await compile('--incremental', 'false')).toBe('');
  }, TIME);

  afterEach(() => {
    restore();
    restore = () => {};
  });

  it('starts when it is finished', async () => {
    expect(await start()).toMatch(/^Pet Store {2}http/);
  });

  it.each(OTHER_DATABASES)('starts with an entity of another database, by %s', async (_, to, imported) => {
    const entity = edit(copy, ENTITY, [[/$/, KEEPER]]);
    const names = `${imported}\nimport { KeeperEntity, ShelterEntity } from`;
    const module = edit(copy, MODULE, [
      [to.slice(0, to.indexOf('[') + 1), to],
      ['import { ShelterEntity } from', names],
    ]);
    restore = () => {
      entity();
      module();
    };
    compileChanged();
    expect(await start()).toMatch(/^Pet Store {2}http/);
  });

  it.each(AT_START)('cannot start without $lacks, and the first error says what and where', async ({ undo, error }) => {
    restore = undo(copy);
    compileChanged();
    const output = await start();
    if (typeof error === 'string') expect(output).toContain(error);
    else expect(output).toMatch(error);
    // Its own text names all possible causes, on several lines.
    expect(output).not.toContain("Nest can't");
  });

  it.each(AT_COMPILE_TIME)(
    'does not compile without $lacks, and the first error says what and where',
    async ({ undo, error }) => {
      restore = undo(copy);
      // Its reasons follow on indented lines.
      const [first] = /^.*(?:\n .*)*/.exec(await compile('--incremental', 'false', '--noEmit'))!;
      expect(first).toMatch(error);
    },
    TIME,
  );
});
