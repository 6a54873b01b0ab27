import { describe, expect, it } from '@jest/globals';
import { walk } from '../../support/pets.js';
import type { Fault, ForwardedRequest, ForwardedResponse } from './faulty-proxy.js';
import { differencesBehind, startBehind, TIME, verify } from './run-verify.js';

const errors = (status: number, change: (text: string) => string): Fault => ({
  response: (response) => void (response.status === status && (response.text = change(response.text))),
});

/** Changes the pages of the list. Each pet is text, so that its integers stay exact. */
function pages(change: (pets: string[], query: URLSearchParams, response: ForwardedResponse) => string[]): Fault {
  return {
    response(response, { method, url }) {
      if (method !== 'GET' || !url.pathname.endsWith('/pets') || response.status !== 200) return;
      const pets = response.text === '[]' ? [] : response.text.slice(1, -1).split(/(?<=\}),/);
      response.text = `[${change(pets, url.searchParams, response).join(',')}]`;
    },
  };
}

const creations = (change: (text: string) => string): Fault => ({
  request: (request) => void (request.method === 'POST' && (request.text = change(request.text))),
});

const accepting = (isAccepted: (request: ForwardedRequest, sent: string, key: string) => boolean): Fault => ({
  request(request, key) {
    const sent = request.headers.get('authorization') ?? '';
    if (isAccepted(request, sent, key)) request.headers.set('authorization', `Bearer ${key}`);
  },
});

const BASIC = 'Basic realm="pets"';
const INVALID = 'Bearer realm="pets", error="invalid_token"';

const rounded = (text: string): string => text.replace(/\d{16,}/g, (digits) => String(Number(digits)));

/** Several faults that do not hide each other. */
function together(...faults: Fault[]): Fault {
  return {
    async request(request, key) {
      for (const fault of faults) await fault.request?.(request, key);
    },
    response(response, request) {
      for (const fault of faults) fault.response?.(response, request);
    },
  };
}

const withLimit = (limit: number, change: (pets: string[], response: ForwardedResponse) => string[]): Fault =>
  pages((pets, query, response) =>
    query.get('limit') === String(limit) && !query.has('status') ? change(pets, response) : pets,
  );

/** Answers a creation like an earlier one of the same pet. */
function merging(): Fault {
  const created = new Map<string, string>();
  return {
    response(response, { method, text, headers }) {
      if (method !== 'POST' || response.status !== 201 || headers.has('idempotency-key')) return;
      response.text = created.get(text) ?? response.text;
      created.set(text, response.text);
    },
  };
}

/** Answers a creation with an Idempotency-Key like an earlier one that it takes for the same request. */
function confusing(sameAs: (request: ForwardedRequest) => string): Fault {
  const first = new Map<string, Pick<ForwardedResponse, 'text'> & { location: string }>();
  return {
    response(response, request) {
      if (response.status !== 201 || !request.headers.has('idempotency-key')) return;
      const name = sameAs(request);
      const { text, location } = first.get(name) ?? {
        text: response.text,
        location: response.headers.get('location') ?? '',
      };
      first.set(name, { text, location });
      response.text = text;
      response.headers.set('location', location);
    },
  };
}

const keyOf = ({ headers }: ForwardedRequest): string => headers.get('idempotency-key') ?? '';

/** Counts a request with a readable body as carried out even if it was refused. */
function consuming(): Fault {
  const bodies = new Map<string, string>();
  return {
    response(response, request) {
      const key = keyOf(request);
      if (key === '') return;
      const isOther = bodies.has(key) && bodies.get(key) !== request.text;
      if (response.status === 400 && request.text.endsWith('}')) bodies.set(key, request.text);
      if (isOther && response.status === 201) response.status = 422;
    },
  };
}

/** Starts anew when the service does not know the cursor of a request. */
function startingAnew(): Fault {
  return {
    async request({ url, headers }) {
      if (!/^\d+-\d+$/.test(url.searchParams.get('cursor') ?? '')) return;
      const { status } = await fetch(url, { headers });
      if (status === 400) url.searchParams.delete('cursor');
    },
  };
}

/** An id that no pet has. */
const ABSENT = '9223372036854775807';

const LIMITS = [2, 3, 19, 21, 99];
const ALL_PAGES = '^listPets, all pages have each pet that was added, digit for digit, once and in ascending order: ';

/** Some faults, and what must be reported for each of them. */
const FAULTS: [string, Fault, RegExp[]][] = [
  [
    'limits that are replaced',
    {
      request({ url: { searchParams } }) {
        const limit = Number(searchParams.get('limit'));
        if (LIMITS.includes(limit)) searchParams.set('limit', limit < 4 ? '20' : '1');
      },
    },
    LIMITS.map(
      (limit) =>
        new RegExp(
          `^listPets, limit=${limit} has pages of the same pets: ${limit < 4 ? 'a page of 20' : 'rel="next" after a page of 1'} pets`,
        ),
    ),
  ],
  [
    'errors with another code, without text, with a stack, and with other members',
    together(
      errors(401, (text) => text.replace(/"code":"\w+"/, '"code":"X"')),
      errors(405, (text) => text.replace('"METHOD_NOT_ALLOWED"', '"NOT_FOUND"')),
      errors(404, (text) => text.replace(/"(code|message)":"(\\.|[^"\\])*"/g, '"$1":""')),
      errors(400, (text) => text.replace('{', '{"stack":"Error at /app/x.js:1","sql":"SELECT",')),
      errors(415, (text) => text.replace(/"message":"/, '$&at Object.<anonymous> (/app/dist/main.js:1:1) ')),
    ),
    [
      /^listPets, without a key: Error with code "X" instead of UNAUTHORIZED$/,
      /^\(any\), DELETE on \/pets, which is not allowed: Error with code "NOT_FOUND" instead of METHOD_NOT_ALLOWED$/,
      /^getPet, petId: unknown: Error with code "" instead of PET_NOT_FOUND; Error with an empty message$/,
      /^createPet, without name: Error with the member stack; Error with the member sql$/,
      /^createPet, a body of another type: Error with a stack in its message$/,
    ],
  ],
  [
    'keys that are accepted as Basic, in part or for their form, and a challenge of another scheme',
    together(
      accepting((_, sent) => sent.startsWith('Basic ')),
      accepting((_, sent, key) => sent.startsWith(`Bearer ${key.slice(0, 20)}`)),
      accepting(
        (_, sent, key) => sent.startsWith(`Bearer ${key.slice(0, 5)}`) && sent.length === `Bearer ${key}`.length,
      ),
      accepting(({ method }) => method === 'HEAD'),
      {
        response: ({ status, headers }, { method, headers: sent }) =>
          void (
            status === 401 &&
            headers.set('www-authenticate', method === 'POST' && !sent.has('authorization') ? BASIC : INVALID)
          ),
      },
    ),
    [
      /^listPets, with the key as Basic: status 200 instead of 401$/,
      /^listPets, with half of the key: status 200 instead of 401$/,
      /^createPet, with another key of the same form: status 201 instead of 401$/,
      /^listPets, HEAD without a key: status 200 instead of 401$/,
      /^createPet, without a key: WWW-Authenticate is Basic realm="pets"$/,
      /^listPets, without a key: WWW-Authenticate is .*, although no key was sent$/,
    ],
  ],
  [
    'pets that are stored with another name, status or category',
    creations((text) =>
      text
        .replace(/"name":"([^"]*)"(?=,"categoryId":-9007199254740993\})/, (_, name: string) => {
          return `"name":"${name.toUpperCase()}"`;
        })
        .replace('9223372036854775807,"status":"sold"', '9223372036854775807,"status":"pending"')
        .replace(/(-9223372036854775808),"status":"\w+"/, '$1')
        .replace(':9007199254740993', ':7'),
    ),
    [
      /^createPet, a pet without a status stays without: name is "VERIFY [0-9A-F]{8}" instead of "verify [0-9a-f]{8}"$/,
      /^createPet, categoryId 9223372036854775807, digit for digit: status is "pending" instead of "sold"$/,
      /^getPet, categoryId -9223372036854775808, digit for digit: status is absent instead of "pending"$/,
      /^getPet, categoryId 9007199254740993, digit for digit: categoryId is 7 instead of 9007199254740993$/,
    ],
  ],
  [
    'integers that only lists round, and a status that they invent',
    pages((pets) =>
      pets.map((pet) => (pet.includes('"status"') ? rounded(pet) : pet.replace('}', ',"status":"sold"}'))),
    ),
    [
      new RegExp(`${ALL_PAGES}pet \\d+: categoryId is 9223372036854776000 instead of 9223372036854775807;`),
      new RegExp(`${ALL_PAGES}.*; pet \\d+: status is "sold" instead of absent`),
    ],
  ],
  [
    'filters that find nothing, find every second pet, and are lost on the next page',
    pages((pets, query, { headers }) => {
      const link = headers.get('link');
      if (query.get('status') === 'sold') return [];
      if (query.get('status') === 'pending') return pets.filter((_, index) => index % 2 === 0);
      if (query.has('status') && link) headers.set('link', link.replace(/status=\w+&|&status=\w+/, ''));
      return pets;
    }),
    [
      /^listPets, status=sold lists all pets with it, and no other: pet \d+ is missing$/,
      /^listPets, status=pending lists all pets with it, and no other: pet \d+ is missing$/,
      /^listPets, status=available and limit=2 have pages of the same pets: pet \d+ does not belong there$/,
    ],
  ],
  [
    'pages that repeat, reverse or lose pets, and wrong next pages',
    together(
      {
        request({ url: { searchParams } }) {
          if (searchParams.get('limit') === '2' && !searchParams.has('status')) searchParams.delete('cursor');
        },
      },
      withLimit(3, (pets) => pets.toReversed()),
      withLimit(19, (pets, { headers }) => {
        headers.delete('link');
        return pets;
      }),
      withLimit(21, (pets) => [...pets.slice(0, -1), pets[0]!]),
      withLimit(99, (pets, { headers }) => {
        headers.set('link', '</v1/pets?limit=99>; rel="next"');
        return pets;
      }),
      pages((pets, query) => (query.has('status') && query.get('limit') === '2' ? pets.slice(0, -1) : pets)),
    ),
    [
      /^listPets, limit=2 has pages of the same pets: the next page begins with pet \d+ after pet \d+$/,
      /^listPets, limit=3 has pages of the same pets: pet \d+ is out of order, or listed twice$/,
      /^listPets, limit=19 has pages of the same pets: pet \d+ is missing$/,
      /^listPets, limit=21 has pages of the same pets: pet \d+ is out of order, or listed twice$/,
      /^listPets, limit=99 has pages of the same pets: rel="next" after a page of \d+ pets$/,
      /^listPets, status=sold and limit=2 have pages of the same pets: rel="next" after a page of 1 pets$/,
    ],
  ],
  [
    'lists that begin anew after their last page',
    withLimit(100, (pets, { headers }) => {
      headers.set('link', '</v1/pets?limit=100>; rel="next"');
      return pets;
    }),
    [new RegExp(`${ALL_PAGES}rel="next" after a page of \\d+ pets$`)],
  ],
  [
    'wrong headers: one X-Request-Id for all, a challenge that knows no invalid key, credentials for all origins, another Allow, and a Location elsewhere',
    {
      response({ status, headers }) {
        headers.set('x-request-id', 'same');
        if (status === 401) headers.set('www-authenticate', 'Bearer realm="pets"');
        headers.set('access-control-allow-credentials', 'true');
        if (headers.has('allow')) headers.set('allow', 'TRACE');
        if (headers.has('location')) headers.set('location', 'https://pets.test/v1/pets/1');
      },
    },
    [
      /^\(any\), each response so far has an X-Request-Id of its own: several have same$/,
      /^\(any\), a response has the X-Request-Id of its request: X-Request-Id is same instead of verify-/,
      /^createPet, with a wrong key: WWW-Authenticate is Bearer realm="pets", without error="invalid_token"$/,
      /^\(any\), scripts of other origins cannot use the credentials of a browser: they can$/,
      /^\(any\), OPTIONS on \/pets: Allow is TRACE instead of GET, HEAD, OPTIONS, POST$/,
      /^getPet, categoryId 9007199254740993, digit for digit: https:\/\/pets\.test\/v1\/pets\/1 leads to an address that does not begin with http:/,
    ],
  ],
  [
    'bodies that are accepted although they are no object, no JSON, absent or without a type, and 400 for one that is too large',
    together(
      creations((text) => (text === '' || text === 'null' ? '{"name":"verify none","categoryId":1}' : text)),
      creations((text) => text.replace(/^\[(.*)\]$/, '$1').replace(/,\}$/, '}')),
      {
        request: ({ method, headers }) =>
          void (method === 'POST' && !headers.has('content-type') && headers.set('content-type', 'application/json')),
        response(response) {
          if (response.status === 413)
            Object.assign(response, {
              status: 400,
              text: '{"code":"BAD_REQUEST","message":"Too large.","status":400}',
            });
        },
      },
    ),
    [
      /^createPet, JSON with a comma too many: status 201 instead of 400$/,
      /^createPet, null instead of an object: status 201 instead of 400$/,
      /^createPet, a list with the object: status 201 instead of 400$/,
      /^createPet, no body: status 201 instead of 400$/,
      /^createPet, a body without a type: status 201 instead of 415$/,
      /^createPet, a body of 1\.1 MB, unless BODY_LIMIT allows it: the message does not name name$/,
    ],
  ],
  [
    'pages without a limit that have no order, and a parameter that is refused although it is not declared',
    together(
      { request: ({ url: { searchParams } }) => searchParams.has('verify') && searchParams.set('limit', 'none') },
      pages((pets, query) => (query.has('limit') ? pets : pets.toReversed())),
    ),
    [
      /^listPets, without limit, at most 20: pet \d+ is missing$/,
      /^listPets, without limit, the pages of status=available are those of limit=20: pet \d+ is missing$/,
      /^listPets, a query parameter that is not declared is ignored: status 400 instead of 200/,
    ],
  ],
  [
    'integers that are read however they are written, and an id that a request chooses',
    {
      request({ url }) {
        const limit = url.searchParams.get('limit') ?? '';
        if (/^(01|1e1)$/.test(limit)) url.searchParams.set('limit', String(Number(limit)));
        if (limit === 'abc') url.searchParams.delete('limit');
        url.pathname = url.pathname.replace(/01$/, '1');
      },
      response(response, { text }) {
        const [id] = /"id":\d+/.exec(text) ?? [];
        if (id !== undefined && response.status === 201) response.text = response.text.replace(/"id":\d+/, id);
      },
    },
    [
      /^listPets, limit: a word: status 200 instead of 400$/,
      /^listPets, limit: a leading zero: status 200 instead of 400$/,
      /^listPets, limit: an exponent: status 200 instead of 400$/,
      /^getPet, petId: a leading zero: status 200 instead of 404$/,
      /^createPet, an id and members that are not declared are ignored: the pet has the id that was sent$/,
    ],
  ],
  [
    'a default of limit without a next page, creations that are carried out twice, and names that are escaped or cut off',
    together(
      {
        async request({ method, url, headers, text }) {
          if (method === 'POST' && text.includes(':9007199254740993'))
            await fetch(url, { method: 'POST', headers, body: text });
        },
        response: ({ headers }, { method, url }) =>
          void (method === 'GET' && url.pathname.endsWith('/pets') && url.search === '' && headers.delete('link')),
      },
      creations((text) => text.replace('<b>', '&lt;b&gt;').replace(/("name":"[^"]{255})[^"]*/, '$1')),
    ),
    [
      /^listPets, without limit, at most 20: no Link with rel="next"$/,
      /^listPets, all pages have each pet that was added, .*; pet \d+ was added by no request$/,
      /^createPet, a name with letters of all kinds, character for character: name is .*&lt;b&gt;/,
      /^createPet, a name of more than 1000 letters: name is .{250,280} instead of /,
    ],
  ],
  [
    'a successor elsewhere, a promise to remove what is not deprecated, HEAD that finds nothing, and keys in errors',
    {
      response(response, { method, url, headers: sent }) {
        const { status, headers } = response;
        const link = headers.get('link');
        if (link?.includes('successor')) headers.set('link', link.replace('/v1/pets>', '/v1/dogs>'));
        if (url.pathname.endsWith('/pets')) headers.set('sunset', 'Thu, 05 Dec 2030 00:00:00 GMT');
        if (method === 'HEAD' && status === 200) response.status = 404;
        if (status === 401) response.text = response.text.replace('"message":"', `$&${sent.get('authorization')}: `);
      },
    },
    [
      /^getPet, petId: unknown: Link with rel="successor-version" leads to \/v1\/dogs instead of \/pets$/,
      /^listPets, limit: below the minimum: header sunset, although the operation is not deprecated$/,
      /^getPet, HEAD has the headers of GET: status 404 instead of 200$/,
      /^createPet, with a wrong key: .*the response has the key that was sent$/,
    ],
  ],
  [
    'responses without an operation that lack a header, have another type, or are right on one path only',
    {
      response(response, { method, url }) {
        const { status, headers } = response;
        if ([204, 405, 431].includes(status)) headers.delete('x-request-id');
        if ([404, 414].includes(status)) headers.set('content-type', 'text/html');
        if (!/\/pets\/./.test(url.pathname)) return;
        if (method === 'DELETE') response.status = 200;
        if (method === 'PUT') headers.delete('allow');
        if (method === 'OPTIONS') response.status = 404;
      },
    },
    [
      /^\(any\), an unknown path: content type text\/html$/,
      /^\(any\), PATCH on \/pets, which is not allowed: no header X-Request-Id$/,
      /^\(any\), OPTIONS on \/pets: no header X-Request-Id$/,
      /^\(any\), DELETE on \/pets\/\{petId\}, which is not allowed: status 200 instead of 405$/,
      /^\(any\), PUT on \/pets\/\{petId\}, which is not allowed: no header Allow; no header X-Request-Id$/,
      /^\(any\), OPTIONS on \/pets\/\{petId\}: status 404 instead of 204$/,
      /^\(any\), a query of 9 kB: content type text\/html$/,
      /^\(any\), a header of 17 kB: no header X-Request-Id$/,
    ],
  ],
  [
    'keys that are compared in part or without regard to case, and refusals that say more than 401 without a key',
    together(
      accepting((_, sent, key) => sent.startsWith(`Bearer ${key}`)),
      accepting((_, sent, key) => sent.toLowerCase() === `Bearer ${key}`.toLowerCase()),
      {
        response(response, { method, url, text, headers }) {
          if (headers.has('authorization')) return;
          if (url.pathname.endsWith(ABSENT)) response.status = 404;
          if (method === 'POST' && text === '{"') response.status = 400;
          if (url.searchParams.has('limit')) response.status = 400;
        },
      },
    ),
    [
      /^listPets, with a character after the key: status 200 instead of 401$/,
      /^createPet, with the key in other capitals: status 201 instead of 401$/,
      /^getPet, without a key, of an unknown resource: status 404 instead of 401$/,
      /^createPet, without a key, with a wrong body: status 400 instead of 401$/,
      /^listPets, without a key, with a wrong query: status 400 instead of 401$/,
    ],
  ],
  [
    'values in capitals, integers with a sign or a space, and another charset',
    together(
      creations((text) => text.replace('"AVAILABLE"', '"available"')),
      {
        request({ url: { searchParams } }) {
          const limit = searchParams.get('limit') ?? '';
          if (/^\+1$|^1 $/.test(limit)) searchParams.set('limit', '1');
          if (searchParams.get('status') === 'AVAILABLE') searchParams.set('status', 'available');
        },
        response: ({ status, headers }) =>
          void (status === 201 && headers.set('content-type', 'application/json; charset=iso-8859-1')),
      },
    ),
    [
      /^createPet, status: a value in capitals: status 201 instead of 400$/,
      /^listPets, status: a value in capitals: status 200 instead of 400$/,
      /^listPets, limit: a plus sign: status 200 instead of 400$/,
      /^listPets, limit: a space: status 200 instead of 400$/,
      /^createPet, a pet without a status stays without: content type application\/json; charset=iso-8859-1$/,
    ],
  ],
  [
    'a POST that is not allowed, HEAD of an unknown pet, equal creations, and quotes around an Idempotency-Key',
    together(merging(), {
      response(response, { method, url, headers }) {
        if (method === 'POST' && response.status === 405) response.status = 404;
        if (method === 'HEAD' && url.pathname.endsWith(ABSENT)) response.status = 200;
        if (headers.get('idempotency-key')?.startsWith('"') && response.status === 201) response.status = 400;
      },
    }),
    [
      /^\(any\), POST on \/pets\/\{petId\}, which is not allowed: status 404 instead of 405$/,
      /^getPet, HEAD, petId: unknown: status 200 instead of 404$/,
      /^createPet, the same request without an Idempotency-Key adds another pet: the second pet has the id of the first one$/,
      /^createPet, a repeated Idempotency-Key gets the first response, and adds nothing: status 400 instead of 201, with quotes around the key$/,
    ],
  ],
  [
    'names that are normalised, without wide or invisible spaces, and a category 0 that counts as none',
    together(
      creations((text) => text.normalize('NFC').replaceAll(/ {2,}/g, ' ').replaceAll('\u200b', '')),
      {
        response: (response, { text }) =>
          void (/"categoryId":0\b/.test(text) && response.status === 201 && (response.status = 400)),
      },
    ),
    [
      /^createPet, a name with letters of all kinds, character for character: name is /,
      /^createPet, categoryId 0, digit for digit: status 400 instead of 201$/,
    ],
  ],
  [
    'an Idempotency-Key whose capitals or last characters do not count, that a refused body uses up, and the request id of another form',
    together(
      confusing((request) => keyOf(request).toLowerCase().slice(0, 200)),
      consuming(),
      {
        response({ headers }, { headers: sent }) {
          const id = sent.get('x-request-id');
          if (id !== null) headers.set('x-request-id', id.slice(0, 64));
        },
      },
    ),
    [
      /^createPet, an Idempotency-Key in other capitals is another one: the response is that to the first one$/,
      /^createPet, an Idempotency-Key with another last character is another one: the response is that to the first one$/,
      /^createPet, a refused request does not use up its Idempotency-Key: status 422 instead of 201$/,
      /^\(any\), a response has the X-Request-Id of its request: X-Request-Id is verify-.{57} instead of verify-.{121}$/,
    ],
  ],
  [
    'a long Idempotency-Key that does not count, a malformed request id that is accepted, and paths in capitals or with a slash',
    {
      request({ headers, url }) {
        if ((headers.get('idempotency-key') ?? '').length === 255) headers.delete('idempotency-key');
        url.pathname = url.pathname.toLowerCase().replace(/\/$/, '');
      },
      response({ headers }, { headers: sent }) {
        const id = sent.get('x-request-id');
        if (id !== null) headers.set('x-request-id', id);
      },
    },
    [
      /^createPet, an Idempotency-Key of 255 characters: the body differs from that of the first response; /,
      /^\(any\), a request with an X-Request-Id of another form gets a new one: header X-Request-Id is verify no id$/,
      /^\(any\), \/pets in capitals: status 200 instead of 404$/,
      /^\(any\), \/pets with a slash at its end: status 200 instead of 404$/,
    ],
  ],
  [
    'an invented cursor that starts anew, and refusals of a charset and of a long Idempotency-Key',
    together(startingAnew(), {
      response(response, { headers }) {
        if (response.status !== 201) return;
        if (headers.get('content-type')?.includes('charset')) response.status = 415;
        if ((headers.get('idempotency-key') ?? '').length > 100) response.status = 400;
      },
    }),
    [
      /^listPets, a cursor that no Link header had: status 200 instead of 400$/,
      /^createPet, a body of application\/json; charset=utf-8: status 415 instead of 201$/,
      /^createPet, an Idempotency-Key of 255 characters: status 400 instead of 201$/,
    ],
  ],
];

describe('npm run verify', () => {
  it.each(FAULTS)(
    'notices %s',
    async (_, fault, expected) => {
      const { code, lines } = await differencesBehind(fault);
      for (const line of expected) expect(lines).toContainEqual(expect.stringMatching(line));
      expect(code).toBe(1);
    },
    TIME,
  );

  it(
    'leaves only pets whose names say so on an instance that turns other values into names',
    async () => {
      const { service, url, close } = await startBehind(
        creations((text) => text.replace(/"name":(7|null)/, '"name":"$1"')),
      );
      const { code, stdout } = await verify('--url', `${url}/v1`, '--key', service.key);
      close();
      expect(stdout).toMatch(/^createPet +name: the wrong type +400 +DIFFERS: the message does not name name$/m);
      expect(stdout).toMatch(/^createPet +name: null +400 +DIFFERS: the message does not name name$/m);
      expect(code).toBe(1);
      const pets = await walk(service.api, '/v1/pets?limit=100');
      expect(pets.filter(({ name }) => !/^verify [0-9a-f]{8}( |$)/.test(name))).toEqual([]);
    },
    TIME,
  );
});
