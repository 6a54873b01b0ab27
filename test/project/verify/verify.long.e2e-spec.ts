import { describe, expect, it } from '@jest/globals';
import { walk } from '../../support/pets.js';
import { startApp } from '../../support/start-app.js';
import type { Fault, ForwardedRequest, ForwardedResponse } from './faulty-proxy.js';
import { differencesBehind, startBehind, TIME, verify } from './run-verify.js';

/** Limits the requests that choose their id, once each. */
function limitedWithId(): Fault {
  const limited = new Set<string>();
  return {
    response(response, { headers }) {
      const id = headers.get('x-request-id');
      if (id === null || limited.has(id) || response.status !== 200) return;
      limited.add(id);
      response.status = 429;
      response.headers.set('retry-after', '0');
    },
  };
}

/** A service that keeps the first response to an Idempotency-Key, but carries each repetition out. */
function forgetful(): Fault {
  const kept = new Map<string, Pick<ForwardedResponse, 'text'> & { location: string }>();
  const keys = new WeakMap<ForwardedRequest, string>();
  return {
    request(request) {
      const key = request.headers.get('idempotency-key');
      if (key === null) return;
      keys.set(request, key);
      request.headers.delete('idempotency-key');
    },
    response(response, request) {
      const key = keys.get(request);
      if (key === undefined || response.status !== 201) return;
      const first = kept.get(key) ?? { text: response.text, location: response.headers.get('location') ?? '' };
      kept.set(key, first);
      response.text = first.text;
      response.headers.set('location', first.location);
    },
  };
}

/** Answers repeated requests of an Idempotency-Key, from the fourth one on, as if the first one were in progress. */
function impatient(text: string): Fault {
  const counts = new Map<string, number>();
  const succeeded = new Set<string>();
  return {
    response(response, { headers }) {
      const key = headers.get('idempotency-key');
      if (key === null) return;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      // The first success may be the last response: the service itself can refuse all others.
      const isFirst = response.status === 201 && !succeeded.has(key);
      if (isFirst) succeeded.add(key);
      if (isFirst || count <= 3) return;
      Object.assign(response, { status: 409, text });
      response.headers.set('retry-after', '1');
    },
  };
}

/** Refuses a request whose Idempotency-Key had a request that was refused. */
function unforgiving(): Fault {
  const used = new Set<string>();
  return {
    response(response, { headers }) {
      const key = headers.get('idempotency-key');
      if (key === null) return;
      if (response.status === 400) used.add(key);
      else if (used.has(key)) response.status = 422;
    },
  };
}

/** Lets a request wait for the end of the previous one, so that none is in progress when another one arrives. */
function oneAtATime(): Fault {
  let previous = Promise.resolve();
  const ends = new WeakMap<ForwardedRequest, () => void>();
  return {
    request(request) {
      const turn = previous;
      previous = new Promise((resolve) => ends.set(request, resolve));
      return turn;
    },
    response: (_, request) => ends.get(request)?.(),
  };
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
    /^createPet, categoryId 9223372036854775807, digit for digit: categoryId is 9223372036854776000 instead of 9223372036854775807$/,
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
    'an empty limit that counts as none',
    { request: ({ url }) => url.searchParams.get('limit') === '' && url.searchParams.delete('limit') },
    /^listPets, limit: empty: status 200 instead of 400$/,
  ],
  [
    'a repeated limit of which one counts',
    { request: ({ url }) => url.searchParams.getAll('limit').length > 1 && url.searchParams.set('limit', '1') },
    /^listPets, limit: repeated: status 200 instead of 400$/,
  ],
  [
    'a cursor against its pattern that starts anew',
    { request: ({ url }) => url.searchParams.get('cursor') === '~' && url.searchParams.delete('cursor') },
    /^listPets, cursor: "~", against the pattern: status 200 instead of 400$/,
  ],
  [
    'a name with a NUL that is stored without it',
    { request: (request) => void (request.text = request.text.replaceAll('\\u0000', '')) },
    /^createPet, name: "a\\u0000b", against the pattern: status 201 instead of 400$/,
  ],
  [
    'a malformed Idempotency-Key that is ignored',
    { request: ({ headers }) => headers.get('idempotency-key') === 'a b' && headers.delete('idempotency-key') },
    /^createPet, Idempotency-Key: "a b", against the pattern: status 201 instead of 400$/,
  ],
  [
    'an empty Idempotency-Key that is ignored',
    { request: ({ headers }) => headers.get('idempotency-key') === '' && headers.delete('idempotency-key') },
    /^createPet, Idempotency-Key: too short: status 201 instead of 400$/,
  ],
  [
    'an Idempotency-Key that is too long and ignored',
    {
      request: ({ headers }) =>
        (headers.get('idempotency-key') ?? '').length > 512 && headers.delete('idempotency-key'),
    },
    /^createPet, Idempotency-Key: too long: status 201 instead of 400$/,
  ],
  [
    'a limit that is ignored',
    { request: ({ url }) => url.searchParams.get('limit') === '1' && url.searchParams.delete('limit') },
    /^listPets, limit=1 is obeyed, and the next page is another one: \d+ pets instead of 1$/,
  ],
  [
    'a filter that is ignored',
    { request: ({ url }) => url.searchParams.get('status') === 'pending' && url.searchParams.delete('status') },
    /^listPets, status=pending lists all pets with it, and no other: \d+ pets with another status$/,
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
    /^createPet, a pet without a status stays without: status is "available" instead of absent$/,
  ],
  [
    'an Idempotency-Key that is ignored',
    { request: ({ headers }) => headers.delete('idempotency-key') },
    /^createPet, a repeated Idempotency-Key gets the first response, and adds nothing: the body differs from that of the first response; the header Location differs from that of the first response; the body differs from that of the first response, with quotes around the key; the header Location differs from that of the first response, with quotes around the key; the repetition was carried out again$/,
  ],
  [
    'an Idempotency-Key that is ignored by requests at once',
    { request: ({ headers }) => headers.delete('idempotency-key') },
    /^createPet, 5 requests at once with one Idempotency-Key: the body differs from that of the first response/,
  ],
  [
    'repetitions that are carried out, although they get the first response',
    forgetful(),
    /^createPet, a repeated Idempotency-Key gets the first response, and adds nothing: the body differs from that of the first response, with quotes around the key; the header Location differs from that of the first response, with quotes around the key; the repetition was carried out again$/,
  ],
  [
    'an Idempotency-Key that accepts another body',
    { response: (response) => void (response.status === 422 && (response.status = 201)) },
    /^createPet, an Idempotency-Key with another body: status 201 instead of 422$/,
  ],
  [
    'an Idempotency-Key that a refused request uses up',
    unforgiving(),
    /^createPet, a refused request does not use up its Idempotency-Key: status 422 instead of 201$/,
  ],
  [
    'a 409 of another shape',
    impatient('{}'),
    /^createPet, an Idempotency-Key of a request in progress: .*Error without code/,
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
      expect(stdout).toMatch(
        /^createPet +a repeated Idempotency-Key gets the first response, and adds nothing +201 +ok$/m,
      );
      expect(stdout).toMatch(/^createPet +an Idempotency-Key with another body +422 +ok$/m);
      expect(stdout).toMatch(/^\d+ checks, 0 differ\. The pets added are named "verify [0-9a-f]{8}"\.$/m);
      const pets = await walk(api, '/v1/pets?limit=100');
      const [, named] = /named "(.*)"/.exec(stdout)!;
      expect(pets.filter(({ name }) => !name.startsWith(named!))).toEqual([]);
      expect(pets.length).toBeLessThan(31);
    },
    TIME,
  );

  it(
    'waits where the instance limits requests',
    async () => {
      const { baseUrl, key } = await startApp({ rateLimit: { requests: 20, window: 2 } });
      const { code, stdout, stderr } = await verify('--url', `${baseUrl}/v1`, '--key', key);
      expect(stderr).toMatch(/^The instance limits requests; waiting \d+ s each time\.\n$/);
      expect(stdout).toMatch(/^Not provoked from outside: listPets 429, listPets 500, /m);
      expect(stdout).toMatch(/^\d+ checks, 0 differ\./m);
      expect(code).toBe(0);
    },
    TIME,
  );

  it(
    'may send a request with its X-Request-Id again when it waited',
    async () => {
      expect(await differencesBehind(limitedWithId())).toEqual({ code: 0, lines: [] });
    },
    TIME,
  );

  it.each(FAULTS)(
    'reports %s',
    async (_, fault, expected) => {
      const { code, lines } = await differencesBehind(fault);
      expect(code).toBe(1);
      expect(lines).toContainEqual(expect.stringMatching(expected));
    },
    TIME,
  );

  it(
    'lists the statuses that it does not provoke: 409 without requests that overlap, 403 without a read key',
    async () => {
      const { service, url, readKey, close } = await startBehind(oneAtATime());
      const args = ['--url', `${url}/v1`, '--key', service.key];
      const without = await verify(...args);
      const { code, stdout } = await verify(...args, '--read-key', readKey);
      close();
      const statuses = ['listPets 429', 'listPets 500', 'listPets 503', 'createPet 403', 'createPet 409'];
      statuses.push('createPet 429', 'createPet 500', 'createPet 503', 'getPet 429', 'getPet 500', 'getPet 503');
      const line = (expected: readonly string[]) => `\nNot provoked from outside: ${expected.join(', ')}.\n`;
      expect(without.stdout).toContain(line(statuses));
      expect(without.code).toBe(0);
      expect(stdout).toContain(line(statuses.filter((status) => status !== 'createPet 403')));
      expect(stdout).toMatch(/^createPet +with a key of the scope read +403 +ok$/m);
      expect(code).toBe(0);
    },
    TIME,
  );

  it(
    'checks the response to a request whose Idempotency-Key is in progress, if it sees one',
    async () => {
      const text = '{"code":"REQUEST_IN_PROGRESS","message":"Repeat it later.","status":409}';
      const { service, url, close } = await startBehind(impatient(text));
      const { code, stdout } = await verify('--url', `${url}/v1`, '--key', service.key);
      close();
      expect(stdout).toMatch(/^createPet +an Idempotency-Key of a request in progress +409 +ok$/m);
      expect(stdout).not.toContain('createPet 409');
      expect(code).toBe(0);
    },
    TIME,
  );

  it(
    'reports a key of the scope read that may write',
    async () => {
      let readKey = '';
      const { url, close, ...started } = await startBehind({
        request({ headers }, key) {
          if (headers.get('authorization') === `Bearer ${readKey}`) headers.set('authorization', `Bearer ${key}`);
        },
      });
      ({ readKey } = started);
      const { code, stdout } = await verify('--url', `${url}/v1`, '--key', started.service.key, '--read-key', readKey);
      close();
      expect(stdout).toMatch(/^createPet +with a key of the scope read +403 +DIFFERS: status 201 instead of 403$/m);
      expect(code).toBe(1);
    },
    TIME,
  );

  it(
    'finds nothing behind a proxy without a fault',
    async () => {
      const { service, url, close } = await startBehind({});
      expect((await verify('--url', `${url}/v1`, '--key', service.key)).stdout).toMatch(/ checks, 0 differ\./);
      close();
    },
    TIME,
  );

  it(
    'reports an instance that does not respond or refuses the key, and wrong arguments, in one sentence',
    async () => {
      const { service, readKey, close } = await startBehind({});
      close();
      const unreachable = await verify('--url', 'http://127.0.0.1:9999/v1', '--key', 'a');
      expect(unreachable).toMatchObject({ code: 1, stdout: '' });
      expect(unreachable.stderr).toMatch(/^GET \/pets got no response: .*ECONNREFUSED[^\n]*\n$/);
      const refused = await verify('--url', `${service.baseUrl}/v1`, '--key', 'none');
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toBe('The instance refuses the key with 401; give a valid --key.\n');
      const elsewhere = await verify('--url', service.baseUrl, '--key', service.key);
      expect(elsewhere).toMatchObject({ code: 1, stdout: '' });
      expect(elsewhere.stderr).toBe(
        'The instance has no pets below the address; give --url with the version, such as /v1.\n',
      );
      const reading = await verify('--url', `${service.baseUrl}/v1`, '--key', readKey);
      expect(reading).toMatchObject({ code: 1, stdout: '' });
      expect(reading.stderr).toBe('The key may only read; give a --key of the scope write.\n');
      const redirected = await startBehind({
        response: (response) => {
          response.status = 301;
          response.headers.set('location', 'https://pets.test/v1/pets');
        },
      });
      const moved = await verify('--url', `${redirected.url}/v1`, '--key', redirected.service.key);
      redirected.close();
      expect(moved).toMatchObject({ code: 1, stdout: '' });
      expect(moved.stderr).toBe('The instance redirects with 301 to https://pets.test/v1/pets; correct --url.\n');
      const slow = await startApp({ rateLimit: { requests: 1, window: 3600 } });
      await slow.api.get('/v1/pets');
      const limited = await verify('--url', `${slow.baseUrl}/v1`, '--key', slow.key);
      expect(limited).toMatchObject({ code: 1, stdout: '' });
      expect(limited.stderr).toBe(
        'The instance limits requests for more than a minute; raise RATE_LIMIT, or try later.\n',
      );
      const keys = ['--key', service.key, '--read-key', 'none'];
      const unreadable = await verify('--url', `${service.baseUrl}/v1`, ...keys);
      expect(unreadable).toMatchObject({ code: 1, stdout: '' });
      expect(unreadable.stderr).toBe('The instance refuses the read key with 401; give a valid --read-key.\n');
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
