import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../../support/built-service.js';
import { ORDERS_CALLER, ORDERS_CONTRACT } from './orders.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

const contract = readFileSync(join(ROOT, 'openapi.yaml'), 'utf8');
const [, example] = /```ts\n(.*?)```/s.exec(readFileSync(join(ROOT, 'client/README.md'), 'utf8'))!;

/** A change of openapi.yaml, and what the compiler reports for the example of the README. */
const CHANGES: readonly (readonly [what: string, from: string, to: string, error?: string])[] = [
  ['no change', 'title: Pet Store', 'title: Pet Store'],
  ['a new optional member', `        categoryId:\n`, '        tag: {type: string}\n        categoryId:\n'],
  ['a renamed member', 'categoryId', 'groupId', "Property 'categoryId' does not exist"],
  ['an int64 that becomes an int32', 'format: int64', 'format: int32', "'bigint' is not"],
  ['a new required member', '[name, categoryId]', '[name, categoryId, status]', "Property 'status' is missing"],
  ['a renamed operation', 'operationId: createPet', 'operationId: addPet', "Property 'createPet' does not exist"],
  ['a renamed parameter', 'name: limit', 'name: size', "'limit' does not exist"],
  ['a renamed header', '            Location:', '            Address:', `'"Location"' is not assignable`],
  ['an operation without errors of its own', "\n        '201':", "\n        '301':", "Property 'id' does not exist"],
];

/** Milliseconds for ten processes, and for the compilation of what they write, on a busy machine. */
const TIME = 240_000;

describe('a caller of the client', () => {
  let output: string;

  beforeAll(async () => {
    const folder = temporaryDirectory();
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const command = join(ROOT, 'tools/contract-client/run.mjs');
    const write = async (name: string, text: string, caller: string): Promise<void> => {
      const cwd = join(folder, name);
      cpSync(join(ROOT, 'client/src'), join(cwd, 'client/src'), { recursive: true });
      writeFileSync(join(cwd, 'openapi.yaml'), text);
      await run(process.execPath, [command], { cwd });
      writeFileSync(join(cwd, 'caller.ts'), caller);
    };
    const caller = example!.replace("'pet-store-client'", "'./client/src/client.js'");
    await Promise.all([
      ...CHANGES.map(([what, from, to], index) => {
        if (!contract.includes(from)) throw new Error(`the contract lacks the text of "${what}"`);
        return write(`pets-${index}`, contract.replaceAll(from, to), caller);
      }),
      write('orders', ORDERS_CONTRACT, ORDERS_CALLER),
    ]);
    const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, lib: ['es2023', 'dom'], types: [] };
    const files = ['orders/caller.ts', ...CHANGES.map((_, index) => `pets-${index}/caller.ts`)];
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, noEmit: true }, files }),
    );
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    output = await run(process.execPath, [tsc, '-p', folder]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  }, TIME);

  /** What the compiler reports for a folder. */
  const reported = (name: string): string =>
    output
      .split('\n')
      .filter((line) => line.includes(`${name}/`))
      .join('\n');

  it('compiles with orders: lists, headers, nested objects, read-only members, required members of parts, 204, and OpenAPI 3.1', () => {
    expect(reported('orders')).toBe('');
  });

  it.each(CHANGES.map(([what, , , error = ''], index) => [what, error, index] as const))(
    'compiles, or not, after %s: %s',
    (_, error, index) => {
      if (error === '') expect(reported(`pets-${index}`)).toBe('');
      else expect(reported(`pets-${index}`)).toContain(error);
    },
  );
});
