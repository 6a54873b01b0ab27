import { describe, expect, it } from '@jest/globals';
import { type Environment, errorMessageOf, runCommand } from '../../support/built-service.js';
import { fill, nameOf, postgres, sqlite, TIME } from './copies.js';
import { stored } from './stored-rows.js';

const NOWHERE = 'postgres://me:of-mine@127.0.0.1:1/pets';
const ADDRESS = 'must be "sqlite:" and a file name, or a "postgres://" URL with a percent-encoded password.';
const NO_TARGET =
  'Give the target: set COPY_TO_URL=DATABASE, or add --to DATABASE, where DATABASE is sqlite:FILE or postgres://ADDRESS.';

/** DATABASE_URL is the first argument. */
const run = (source: string, args: readonly string[], env: Environment = {}) =>
  runCommand(source, ['src/commands/db-copy.js', ...args], env);

describe('npm run db:copy', () => {
  it(
    'copies DATABASE_URL to COPY_TO_URL, so that no password is among its arguments',
    async () => {
      const [from, to] = [await fill(sqlite(), 3), await postgres()];
      const { code, stdout } = await run(from, ['--json'], { COPY_TO_URL: to });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ from: nameOf(from), to: nameOf(to) });
      expect(await stored(to)).toEqual(await stored(from));
    },
    TIME,
  );

  it(
    'prefers its options to the variables',
    async () => {
      const [from, to] = [await fill(sqlite(), 3), sqlite()];
      const options = ['--from', from, '--to', to];
      expect(await run(NOWHERE, options, { COPY_TO_URL: NOWHERE })).toMatchObject({ code: 0 });
      expect(await stored(to)).toEqual(await stored(from));
    },
    TIME,
  );

  it.each<[string, string, string[], Environment, string]>([
    ['no target', 'sqlite:a', [], {}, NO_TARGET],
    ['an empty COPY_TO_URL', 'sqlite:a', [], { COPY_TO_URL: ' ' }, NO_TARGET],
    [
      'an unknown option',
      'unused',
      ['--from', 'sqlite:a', '--to', 'sqlite:b', '--force'],
      {},
      "Unknown option '--force'; npm run db:copy -- --help lists the options.",
    ],
    [
      'the same database twice',
      'unused',
      ['--from', 'sqlite:/a/../b', '--to', 'sqlite:/b'],
      {},
      'The database /b cannot be copied to itself; correct --from or --to.',
    ],
    [
      'the same database in both variables',
      NOWHERE,
      [],
      { COPY_TO_URL: NOWHERE },
      'The database postgres://127.0.0.1:1/pets cannot be copied to itself; correct DATABASE_URL or COPY_TO_URL.',
    ],
    [
      'another kind of database',
      'unused',
      ['--from', 'sqlite:a', '--to', 'mysql://me:of-mine@host/pets'],
      {},
      `The value of --to ${ADDRESS}`,
    ],
    [
      'another kind of database in COPY_TO_URL',
      'sqlite:a',
      [],
      { COPY_TO_URL: 'mysql://me:of-mine@host/pets' },
      `The value of COPY_TO_URL ${ADDRESS}`,
    ],
    [
      'a file that does not exist',
      'unused',
      ['--from', 'sqlite:/no/such', '--to', 'sqlite:b'],
      {},
      'The database /no/such does not exist; correct --from.',
    ],
    [
      'a file of DATABASE_URL that does not exist',
      'sqlite:/no/such',
      ['--to', 'sqlite:b'],
      {},
      'The database /no/such does not exist; correct DATABASE_URL.',
    ],
    [
      'a folder',
      'unused',
      ['--from', 'sqlite:/', '--to', 'sqlite:b'],
      {},
      'The database / is a directory; name a file in --from.',
    ],
    [
      'a server that is down',
      'unused',
      ['--from', NOWHERE, '--to', 'sqlite:b'],
      {},
      'The database postgres://127.0.0.1:1/pets cannot be opened: ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1; start its server, or correct its address.',
    ],
  ])(
    'rejects %s with one sentence',
    async (_, source, args, env, sentence) => {
      expect(errorMessageOf(await run(source, args, env))).toBe(sentence);
    },
    TIME,
  );
});
