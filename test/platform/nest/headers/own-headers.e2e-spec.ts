import { describe, expect, it } from '@jest/globals';
import { NotFoundException } from '@nestjs/common';
import type { Config } from '../../../../src/config.js';
import { StartError } from '../../../../src/platform/process/start-error.js';
import { FAILED, outcome } from '../../../properties/outcome.js';
import type { HttpResponse } from '../../../support/http/http-response.js';
import { type StartedApp, startApp } from '../../../support/start-app.js';
import { collectErrors } from '../toys/log.js';
import { baseContract, getOf, json, type Part, postOf, writeContract } from '../../constructs/base-contract.js';
import { things, ThingsModule } from '../../constructs/things.module.js';
import { closing, uncheckedClient } from './opened.js';

const DEPRECATED = {
  deprecated: true,
  'x-deprecated-at': '2026-11-20',
  'x-sunset': '2026-11-21',
  'x-successor': 'addThing',
};
const LINK = '</v1/things>; rel="successor-version"';
/** Two media types, of which a request chooses one. */
const FORMS = {
  responses: {
    ...postOf(baseContract('3.0.3')).responses,
    201: {
      description: 'Added.',
      content: {
        ...json({ type: 'object', additionalProperties: true }),
        'text/plain': { schema: { type: 'string' } },
      },
    },
  },
};
const LIMITED: Partial<Config> = { rateLimit: { requests: 2, window: 60 } };

const text = (schema: object, required = true) => ({ required, schema: { type: 'string', ...schema } });

async function start({
  status,
  headers,
  isInFailures = false,
  members = {},
  config = {},
}: Declared): Promise<StartedApp> {
  const contract: Part = baseContract('3.0.3');
  const { responses } = Object.assign(postOf(contract), structuredClone(members));
  responses[404] = { ...responses[503] };
  const limits = { 'Retry-After': text({}), RateLimit: text({}), 'RateLimit-Policy': text({}) };
  for (const operation of [postOf(contract), getOf(contract)])
    operation.responses[429] = { ...responses[503], headers: limits };
  for (const one of isInFailures ? [status, 500] : [status])
    responses[one] = { ...responses[one], headers: { ...responses[one].headers, ...headers } };
  const file = writeContract(contract);
  return closing(startApp(config, { contractFile: file, features: [ThingsModule] }));
}

/** What a contract declares for `POST /v1/things`, beside what every contract needs. */
interface Declared {
  readonly status: number;
  readonly headers: object;
  /** Whether the 500 declares the same headers. */
  readonly isInFailures?: boolean;
  readonly members?: object;
  readonly config?: Partial<Config>;
}

/** Schemas that refuse what the service sends. */
const REFUSED: [what: string, declared: Declared, sent: string][] = [
  [
    'the Cache-Control of an error',
    { status: 503, headers: { 'Cache-Control': text({ enum: ['no-cache'] }) } },
    'Cache-Control: no-store',
  ],
  [
    'the Cache-Control of 401',
    { status: 401, headers: { 'cache-control': text({ maxLength: 3 }, false) } },
    'Cache-Control: no-store',
  ],
  [
    'nosniff',
    { status: 201, headers: { 'X-Content-Type-Options': text({ enum: ['none'] }) } },
    'X-Content-Type-Options: nosniff',
  ],
  ['an id of a caller', { status: 201, headers: { 'X-Request-Id': text({ format: 'uuid' }) } }, 'X-Request-Id: a'],
  [
    'a long id of a caller',
    { status: 404, headers: { 'X-Request-Id': text({ maxLength: 127 }) } },
    `X-Request-Id: ${'a'.repeat(128)}`,
  ],
  [
    'the Retry-After of 503',
    { status: 503, headers: { 'Retry-After': { schema: { type: 'integer', minimum: 30 } } } },
    'Retry-After: 1',
  ],
  [
    'the Retry-After of 503, declared as a date',
    { status: 503, headers: { 'Retry-After': text({ minLength: 20 }) } },
    'Retry-After: 1',
  ],
  [
    'a challenge',
    { status: 401, headers: { 'WWW-Authenticate': text({ enum: ['Bearer realm="x"'] }) } },
    'WWW-Authenticate: Bearer realm="pets"',
  ],
  [
    'the challenge of a wrong key',
    { status: 401, headers: { 'WWW-Authenticate': text({ enum: ['Bearer realm="pets"'] }) } },
    'WWW-Authenticate: Bearer realm="pets", error="invalid_token"',
  ],
  [
    'the challenge of a missing scope',
    { status: 403, headers: { 'WWW-Authenticate': text({ maxLength: 20 }) } },
    'WWW-Authenticate: Bearer realm="pets", error="insufficient_scope", scope="write"',
  ],
  [
    'a Sunset',
    { status: 201, headers: { Sunset: text({ maxLength: 5 }) }, members: DEPRECATED },
    'Sunset: Sat, 21 Nov 2026 00:00:00 GMT',
  ],
  [
    'the Link of an error',
    { status: 503, headers: { Link: text({ pattern: 'rel="next"' }) }, members: DEPRECATED },
    `Link: ${LINK}`,
  ],
  [
    'the wait of a rate limit',
    { status: 429, headers: { 'Retry-After': { schema: { type: 'integer', maximum: 5 } } }, config: LIMITED },
    'Retry-After: 30',
  ],
  [
    'the level of a rate limit',
    { status: 429, headers: { RateLimit: { schema: { type: 'integer' } } }, config: LIMITED },
    'RateLimit: "key";r=0;t=1',
  ],
  [
    'the policy of a rate limit for addresses',
    { status: 429, headers: { 'RateLimit-Policy': text({ pattern: '^"key"' }) }, config: LIMITED },
    'RateLimit-Policy: "address";q=2;w=60',
  ],
  [
    'the level of a rate limit in a success',
    {
      status: 201,
      headers: { RateLimit: { schema: { type: 'integer' } }, 'RateLimit-Policy': text({}) },
      config: LIMITED,
    },
    'RateLimit: "key";r=1;t=1',
  ],
];

/** Schemas of the same headers that the service keeps, or need not keep. */
const ACCEPTED: [what: string, declared: Declared][] = [
  ['the Cache-Control of an error', { status: 503, headers: { 'Cache-Control': text({ enum: ['no-store'] }) } }],
  ['a Cache-Control that a handler sets', { status: 201, headers: { 'Cache-Control': text({ enum: ['private'] }) } }],
  ['nosniff', { status: 201, headers: { 'X-Content-Type-Options': text({ enum: ['nosniff'] }) } }],
  ['the ids of callers', { status: 201, headers: { 'X-Request-Id': text({ maxLength: 128, pattern: '^[!-~]+$' }) } }],
  ['the Retry-After of 503', { status: 503, headers: { 'Retry-After': { schema: { type: 'integer', minimum: 1 } } } }],
  [
    'the Retry-After of an error that only a feature sends',
    { status: 404, headers: { 'Retry-After': { schema: { type: 'integer', minimum: 30 } } } },
  ],
  ['the challenges', { status: 401, headers: { 'WWW-Authenticate': text({ pattern: '^Bearer realm="pets"' }) } }],
  ['a Sunset', { status: 201, headers: { Sunset: text({ pattern: 'GMT$' }) }, members: DEPRECATED }],
  [
    'a Link that a handler adds',
    { status: 201, headers: { Link: text({ pattern: 'rel="next"' }) }, members: DEPRECATED },
  ],
  [
    'an optional Link that a handler always adds',
    { status: 201, headers: { Link: text({ pattern: 'rel="next"' }, false) }, members: DEPRECATED },
  ],
  [
    'rate limits',
    {
      status: 429,
      headers: {
        'Retry-After': { schema: { type: 'integer', maximum: 30 } },
        RateLimit: text({ pattern: '"(key|address)"' }),
      },
      config: LIMITED,
    },
  ],
  [
    'rate limits that are off',
    { status: 429, headers: { 'Retry-After': { schema: { type: 'integer', maximum: 5 } } } },
  ],
];

describe('the schema of a header that the service sets', () => {
  it.each(REFUSED)('stops the start when it refuses what the service sends: %s', async (_, declared, sent) => {
    const error: unknown = await start(declared).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(StartError);
    expect((error as StartError).message).toMatch(/openapi\.yaml:\d+:\d+ the service sends/);
    expect((error as StartError).message).toContain(
      ` the service sends "${sent}" with ${declared.status}, which the schema must accept.`,
    );
  });

  it.each(ACCEPTED)('does not stop the start when it accepts what the service sends: %s', async (_, declared) => {
    const started = await start(declared);
    const stranger = uncheckedClient(started, 'wrong');
    expect((await stranger.request('POST', '/v1/things', { body: '{}' })).status).toBe(401);
  });
});

interface Handled {
  readonly what: string;
  readonly name: string;
  readonly schema: object;
  /** What the handler sets. */
  readonly value?: string;
  readonly members?: object;
}

/** Schemas of headers that the service adds as well. */
const CACHED = { name: 'Cache-Control', schema: { enum: ['private'] } };
const NAMED = { name: 'X-Request-Id', schema: { pattern: '^[!-~]*$', maxLength: 128 } };
const LINKED = { name: 'Link', schema: { pattern: 'rel="next"' }, members: DEPRECATED };

const SENT: Handled[] = [
  { ...CACHED, what: 'a Cache-Control of the handler', value: 'private' },
  { what: 'the Cache-Control of the service', name: 'Cache-Control', schema: { enum: ['no-store', 'private'] } },
  { ...NAMED, what: 'an X-Request-Id of the handler', value: 'mine' },
  { ...NAMED, what: 'the X-Request-Id of the service' },
  { ...LINKED, what: 'a Link of the handler', value: '</v1/things>; rel="next"' },
  {
    ...LINKED,
    what: 'a Link of the handler beside that of the service',
    schema: { pattern: 'rel="next".*rel="successor-version"' },
    value: '</v1/things>; rel="next"',
  },
];

const NOT_SENT: Handled[] = [
  { ...CACHED, what: 'another Cache-Control of the handler', value: 'public' },
  { ...CACHED, what: 'the Cache-Control of the service' },
  { ...NAMED, what: 'an X-Request-Id of the handler that is too long', value: 'm'.repeat(129) },
  { ...LINKED, what: 'only the Link of the service' },
];

async function responseTo({
  name,
  schema,
  value,
  members = {},
}: Handled): Promise<{ response: HttpResponse; errors: readonly string[] }> {
  const started = await start({ status: 201, headers: { [name]: text(schema) }, members });
  Object.assign(things, { answer: {}, headers: value === undefined ? {} : { [name]: value } });
  const errors = collectErrors(started.app);
  return { response: await uncheckedClient(started).request('POST', '/v1/things', { body: '{}' }), errors };
}

describe('a header that a handler may set instead of the service', () => {
  it.each(SENT)('is sent when the contract allows it: $what', async (handled) => {
    const { response } = await responseTo(handled);
    expect(response.status).toBe(201);
    expect(response.headers[handled.name.toLowerCase()]!.join()).toContain(handled.value ?? '');
  });

  it.each(NOT_SENT)('ends in 500 when the contract refuses it: $what', async (handled) => {
    const { response } = await responseTo(handled);
    expect(outcome(response)).toEqual(FAILED);
    if (handled.value !== undefined) expect(response.headers[handled.name.toLowerCase()]).not.toContain(handled.value);
  });

  it.each([
    { ...LINKED, what: 'Link', schema: { pattern: 'rel="next"$' }, value: '</v1/things>; rel="next"', added: LINK },
    { ...LINKED, what: 'only the Link of the service', added: LINK },
    {
      what: 'Vary',
      name: 'Vary',
      schema: { maxLength: 20 },
      value: 'Accept-Language',
      members: FORMS,
      added: 'Accept',
    },
  ])(
    'ends in 500 when it breaks its schema with what the service adds, which the log names: $what',
    async (handled) => {
      const { response, errors } = await responseTo(handled);
      expect(outcome(response)).toEqual(FAILED);
      const { name, added } = handled;
      expect(errors.join()).toContain(
        `addThing returned 201: with the ${name} that the service adds (${added}), the header ${name} must be a string`,
      );
    },
  );

  it('ends in 500 without a word about the service when it breaks its schema by itself', async () => {
    const vary = { name: 'Vary', schema: { maxLength: 20 }, members: FORMS };
    const { errors } = await responseTo({ ...vary, what: 'Vary', value: 'Accept, Accept-Language' });
    expect(errors.join()).toContain('addThing returned 201: the header Vary must be a string of at most 20 characters');
  });

  it('is not part of the 500 that replaces the response', async () => {
    const { name, schema } = NAMED;
    const started = await start({ status: 201, headers: { [name]: text(schema) }, isInFailures: true });
    const value = 'm'.repeat(129);
    Object.assign(things, { answer: {}, headers: { [name]: value } });
    const client = uncheckedClient(started);
    const response = await client.request('POST', '/v1/things', { body: '{}', headers: { [name]: 'mine' } });
    expect(outcome(response)).toEqual(FAILED);
    expect(response.headers['x-request-id']).toEqual(['mine']);
  });

  it('is checked in an error of the feature', async () => {
    const started = await start({ status: 404, headers: { 'Cache-Control': text({ enum: ['public'] }) } });
    const client = uncheckedClient(started);
    for (const [value, status] of [
      ['public', 404],
      ['private', 500],
      [undefined, 500],
    ] as const) {
      Object.assign(things, { answer: new NotFoundException(), headers: value ? { 'Cache-Control': value } : {} });
      const response = await client.request('POST', '/v1/things', { body: '{}' });
      expect([response.status, response.header('cache-control')]).toEqual([
        status,
        status === 404 ? 'public' : 'no-store',
      ]);
    }
  });
});
