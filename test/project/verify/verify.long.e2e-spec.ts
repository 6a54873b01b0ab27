import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { walk } from '../../support/pets.js';
import { startApp } from '../../support/start-app.js';
import { type Fault, serveWithFault } from './faulty-proxy.js';

const VERIFY = fileURLToPath(new URL('../../../tools/verify/run.mjs', import.meta.url));
/** Milliseconds for about fifty requests and a process. */
const TIME = 120_000;

interface Result {
  readonly operation: string;
  readonly what: string;
  readonly differences: readonly string[];
}

async function verify(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const run = promisify(execFile)(process.execPath, [VERIFY, ...args]);
  return run.then(
    (output) => ({ code: 0, ...output }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

const FAULTS: [string, Fault, RegExp][] = [
  [
    'errors of another shape',
    { response: (response) => void (response.status >= 400 && (response.text = '{"error":"no"}')) },
    /^listPets, without a key: .*Error without code/,
  ],
  [
    'a wrong status in the Error body',
    { response: (response) => void (response.text = response.text.replace('"status":404', '"status":400')) },
    /^getPet, petId: unknown: Error with status 400 instead of 404$/,
  ],
  [
    'a lost default of limit',
    { request: ({ url }) => url.searchParams.has('limit') || url.searchParams.set('limit', '5') },
    /^listPets, without limit, at most 20: 5 pets instead of 20$/,
  ],
  [
    'rounded integers',
    {
      response: (response) =>
        void (response.text = response.text.replace(/\d{16,}/g, (digits) => String(Number(digits)))),
    },
    /^createPet, categoryId 9223372036854775807, digit for digit: the body has not 9223372036854775807$/,
  ],
  [
    'operations without a key check',
    { request: ({ headers }, key) => headers.set('authorization', `Bearer ${key}`) },
    /^createPet, without a key: status 201 instead of 401$/,
  ],
  [
    'an upper bound of limit that is not enforced',
    { request: ({ url }) => Number(url.searchParams.get('limit')) > 100 && url.searchParams.set('limit', '100') },
    /^listPets, limit: above the maximum: status 200 instead of 400$/,
  ],
  [
    'a limit that is ignored',
    { request: ({ url }) => url.searchParams.get('limit') === '1' && url.searchParams.delete('limit') },
    /^listPets, limit=1 is obeyed, and the next page is another one: \d+ pets instead of 1$/,
  ],
  [
    'a filter that is ignored',
    { request: ({ url }) => url.searchParams.get('status') === 'pending' && url.searchParams.delete('status') },
    /^listPets, status=pending lists no other: \d+ pets with another status$/,
  ],
  [
    'no deprecation headers',
    { response: ({ headers }) => headers.delete('deprecation') },
    /^getPet, without a key: no header Deprecation; header deprecation is null/,
  ],
  [
    'no challenge',
    { response: ({ headers }) => headers.delete('www-authenticate') },
    /^createPet, with a wrong key: no header WWW-Authenticate$/,
  ],
  [
    'a status that is not declared',
    { response: (response) => void (response.status === 401 && (response.status = 403)) },
    /^listPets, without a key: status 403 instead of 401$/,
  ],
  [
    'any media type',
    {
      request: ({ headers }) =>
        headers.get('content-type') === 'text/plain' && headers.set('content-type', 'application/json'),
    },
    /^createPet, a body of another type: status 201 instead of 415$/,
  ],
  [
    'an invented status of a pet',
    {
      response: (response) =>
        void (
          response.status === 201 &&
          (response.text = response.text.replace(/("categoryId":-?\d+)\}/, '$1,"status":"available"}'))
        ),
    },
    /^createPet, a pet without a status stays without: the body has a status$/,
  ],
];

describe('npm run verify', () => {
  it(
    'finds nothing on this service, and adds only pets whose names say so',
    async () => {
      const { baseUrl, key, api } = await startApp();
      const { code, stdout, stderr } = await verify('--url', `${baseUrl}/v1`, '--key', key);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^createPet +categoryId 9223372036854775807, digit for digit +201 +ok$/m);
      expect(stdout).toMatch(/^\d+ checks, 0 differ\. The pets added are named "verify [0-9a-f]{8}"\.$/m);
      const pets = await walk(api, '/v1/pets?limit=100');
      expect(pets.filter(({ name }) => !name.startsWith('verify '))).toEqual([]);
      expect(pets.length).toBeLessThan(31);
    },
    TIME,
  );

  it(
    'waits where the instance limits requests',
    async () => {
      const { baseUrl, key } = await startApp({ rateLimit: { requests: 20, window: 2 } });
      const { code, stdout } = await verify('--url', `${baseUrl}/v1`, '--key', key);
      expect(stdout).toMatch(/^Not provoked from outside: listPets 429, listPets 500, /m);
      expect(stdout).toMatch(/^\d+ checks, 0 differ\./m);
      expect(code).toBe(0);
    },
    TIME,
  );

  it.each(FAULTS)(
    'reports %s',
    async (_, fault, expected) => {
      const service = await startApp();
      const { url, server } = await serveWithFault(service, fault);
      const { code, stdout } = await verify('--url', `${url}/v1`, '--key', service.key, '--json');
      server.close().closeAllConnections();
      expect(code).toBe(1);
      const { results } = JSON.parse(stdout) as { results: Result[] };
      const differing = results.filter(({ differences }) => differences.length > 0);
      const lines = differing.map(
        ({ operation, what, differences }) => `${operation}, ${what}: ${differences.join('; ')}`,
      );
      expect(lines).toContainEqual(expect.stringMatching(expected));
    },
    TIME,
  );

  it(
    'finds nothing behind a proxy without a fault',
    async () => {
      const service = await startApp();
      const { url, server } = await serveWithFault(service, {});
      expect((await verify('--url', `${url}/v1`, '--key', service.key)).stdout).toMatch(/ checks, 0 differ\./);
      server.close().closeAllConnections();
    },
    TIME,
  );

  it(
    'reports an instance that does not respond or refuses the key, and wrong arguments, in one sentence',
    async () => {
      const service = await startApp();
      const unreachable = await verify('--url', 'http://127.0.0.1:9999/v1', '--key', 'a');
      expect(unreachable).toMatchObject({ code: 1, stdout: '' });
      expect(unreachable.stderr).toMatch(/^GET \/pets got no response: .*ECONNREFUSED[^\n]*\n$/);
      const refused = await verify('--url', `${service.baseUrl}/v1`, '--key', 'none');
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toBe('The instance refuses the key with 401; give a valid --key.\n');
      for (const args of [
        [],
        ['--url', 'staging.example', '--key', 'a'],
        ['--url', 'http://127.0.0.1:1/v1', '--kez', 'a'],
      ]) {
        const end = await verify(...args);
        expect({ code: end.code, stdout: end.stdout }).toEqual({ code: 2, stdout: '' });
        expect(end.stderr).toMatch(/^[A-Z'][^\n]*--help lists the options\.\n$/);
      }
    },
    TIME,
  );
});
