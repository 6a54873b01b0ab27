import { describe, expect, it } from '@jest/globals';
import { errorMessageOf, type End, runCommand, startService, stopService } from '../../support/built-service.js';
import { nameOf, postgres, sqlite, TIME } from './copies.js';
import { migrate, stored } from './stored-rows.js';

function seed(url: string, ...args: string[]): Promise<End> {
  return runCommand('unused', ['src/commands/seed.js', ...args], { DATABASE_URL: url });
}

describe('npm run seed', () => {
  it.each([
    ['SQLite', async () => sqlite()],
    ['PostgreSQL', postgres],
  ] as const)(
    'adds realistic pets to the existing ones on %s',
    async (_, create) => {
      const url = await create();
      await migrate(url);
      const first = await seed(url, '--pets', '7');
      expect(first.stdout).toMatch(/^Added 7 pets to \S+ in [\d.]+ s\.\n$/);
      expect(first.stderr).toMatch(/^(adding pets {2}100 % {2}7 of 7 {2}[\d,]+ rows\/s {2}\d+ s\n)+$/);
      const second = await seed(url, '--pets', '6000', '--json');
      expect(JSON.parse(second.stdout)).toEqual({ database: nameOf(url), pets: 6000, seconds: expect.any(Number) });

      const { pets } = await stored(url);
      expect(pets.map(({ id }) => id)).toEqual(Array.from({ length: 6007 }, (__, index) => String(index + 1)));
      expect(new Set(pets.map(({ status }) => status))).toEqual(new Set(['available', 'pending', 'sold', null]));
      expect(new Set(pets.map(({ name }) => name)).size).toBeGreaterThan(100);
      expect(new Set(pets.map(({ categoryId }) => categoryId)).size).toBeGreaterThan(20);

      const service = await startService('unused', { DATABASE_URL: url });
      const response = await service.api.post('/v1/pets', { name: 'Ada', categoryId: 7 });
      expect(response.text).toBe('{"id":6008,"name":"Ada","categoryId":7}');
      expect((await service.api.get('/v1/pets?limit=100')).status).toBe(200);
      await stopService(service);
    },
    TIME,
  );

  it.each([
    ['no number', [], 'Give the number of pets: npm run seed -- --pets NUMBER.'],
    ['zero', ['--pets', '0'], 'The option --pets must be a whole number from 1 to 9999999999, not "0".'],
    ['a word', ['--pets', 'many'], 'The option --pets must be a whole number from 1 to 9999999999, not "many".'],
    [
      'an unknown option',
      ['--pets', '1', '--cats', '1'],
      "Unknown option '--cats'; npm run seed -- --help lists the options.",
    ],
  ])(
    'rejects %s with one sentence',
    async (_, args, message) => {
      expect(errorMessageOf(await seed(sqlite(), ...args))).toBe(message);
    },
    TIME,
  );

  it(
    'rejects a PostgreSQL database without the tables with one sentence',
    async () => {
      const url = await postgres();
      expect(errorMessageOf(await seed(url, '--pets', '1'))).toBe(
        `The schema of ${nameOf(url)} is older than this release; run "npm run migrate" first, or use the release that serves it.`,
      );
    },
    TIME,
  );
});
