import { describe, expect, it } from '@jest/globals';
import {
  Body,
  type CallHandler,
  Cookies,
  createParamDecorator,
  type ExecutionContext,
  Headers,
  type NestInterceptor,
  Query,
  Req,
  UseGuards,
} from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Allow } from 'class-validator';
import { startRefusal } from '../../../support/start-app.js';
import { adding, reading, startReading, type Taken } from '../reading-a-thing.js';
import { startTaking } from '../taking-body.js';

const TEXT = { type: 'string' };
const OBJECT = { type: 'object', properties: { value: TEXT } };

class Valued {
  @Allow()
  value?: string;
}

const parameter = (place: string, name: string) => ({ name, in: place, schema: TEXT });
const TENANT = [parameter('header', 'X-Tenant')];
const SESSION = [parameter('cookie', 'session')];
const LIMIT = [parameter('query', 'limit')];

/** Such as one that logs, or measures time. */
const passing: NestInterceptor = { intercept: (_: ExecutionContext, next: CallHandler) => next.handle() };
const passingAll = { prepare: (app: NestExpressApplication) => void app.useGlobalInterceptors(passing) };

const headers = (...names: string[]): Taken[] => names.map((name) => [Headers(name), String]);
const cookies = (...names: string[]): Taken[] => names.map((name) => [Cookies(name), String]);
const queries = (...names: string[]): Taken[] => names.map((name) => [Query(name), String]);
const seenOf = (response: { json: unknown }) => (response.json as { seen: string }).seen;

const unknown = (handler: string, what: string) =>
  `FILE:1:1 ${handler} takes the ${what}, which is not declared here, so that no caller knows of it; declare it here, or give it the name of one that is.`;
const misspelling = (what: string, meant: string) =>
  `FILE:1:1 Things.get takes the ${what}, which is not declared here, but not "${meant}", which is; give it that name, or take both.`;

describe('a name that the operation does not declare stops the start', () => {
  it.each<[string, Taken[]]>([
    [
      'beside a DTO',
      [
        [Query(), Valued],
        [Query('valeu'), String],
      ],
    ],
    ['beside the request', [[Req(), Object], ...queries('valeu')]],
    ['beside the right one', queries('value', 'valeu')],
  ])('as a query parameter %s', async (_, parameters) => {
    expect(await startRefusal(startReading(reading(parameters)))).toBe(
      unknown('Things.get', 'query parameter "valeu"'),
    );
  });

  it.each<[string, object]>([
    ['a body', OBJECT],
    ['a body with alternatives', { oneOf: [OBJECT, { type: 'object', properties: { value: TEXT } }] }],
  ])('as a member of %s', async (_, schema) => {
    const [first, second] = [Body(), Body('valeu')];
    const both: ParameterDecorator = (target, key) => {
      first(target, key, 0);
      second(target, key, 1);
    };
    expect(await startRefusal(startTaking([both, Valued], schema))).toBe(unknown('Things.add', 'member "valeu"'));
  });
});

describe('a header or cookie that looks like a misspelling of a declared one stops the start', () => {
  it.each([
    ['a letter more', 'x-tennant'],
    ['a letter less', 'x-tenat'],
    ['another letter', 'X-Tenent'],
    ['two letters swapped', 'x-teannt'],
    ['another hyphen', 'x-ten-ant'],
    ['an underscore', 'x_tenant'],
    ['no x-', 'tenant'],
    ['x- alone', 'x-xtenant'],
  ])('with %s', async (_, name) => {
    expect(await startRefusal(startReading(reading(headers(name)), TENANT))).toBe(
      misspelling(`header "${name}"`, 'x-tenant'),
    );
  });

  it.each(['key', 'KEY', 'k-ey'])('however short it is: %s', async (name) => {
    expect(await startRefusal(startReading(reading(headers(name)), [parameter('header', 'X-Key')]))).toBe(
      misspelling(`header "${name}"`, 'x-key'),
    );
  });

  it('also with an interceptor, which may add to the query and the body', async () => {
    const refusal = misspelling('header "x-tennant"', 'x-tenant');
    expect(await startRefusal(startReading(reading(headers('x-tennant'), passing), TENANT))).toBe(refusal);
    expect(await startRefusal(startReading(reading(headers('x-tennant')), TENANT, passingAll))).toBe(refusal);
  });

  it.each(['sesion', 'Session'])('as the cookie %s', async (name) => {
    expect(await startRefusal(startReading(reading(cookies(name)), SESSION))).toBe(
      misspelling(`cookie "${name}"`, 'session'),
    );
  });
});

describe('a header or cookie that a gateway may set starts', () => {
  it.each([
    ['is declared in another case', 'x-tenant'],
    ['has a name of its own', 'X-Zone'],
    ['is one of a proxy', 'X-Forwarded-User'],
    ['goes on where the declared one ends', 'X-Tenant-Id'],
    ['is a word of the declared one', 'X-Ten'],
    ['is common', 'User-Agent'],
  ])('where it %s', async (_, name) => {
    const { api } = await startReading(reading(headers(name)), TENANT);
    expect(seenOf(await api.get('/v1/things/x', { headers: { [name]: 'a' } }))).toBe('"a"');
  });

  it.each([
    ['X-Rate', 'X-Date'],
    ['X-Line-1', 'X-Line-2'],
    ['X-Accept', 'Accept'],
    ['X-User-Id', 'X-User-Role'],
    ['X-Forwarded-Host', 'X-Forwarded-Port'],
    ['X-Zones', 'X-Zenas'],
  ])('where %s is declared, and it is %s', async (declared, name) => {
    const { api } = await startReading(reading(headers(name)), [parameter('header', declared)]);
    expect(seenOf(await api.get('/v1/things/x', { headers: { [name]: '*/*' } }))).toBe('"*/*"');
  });

  const User = createParamDecorator((_, context: ExecutionContext) => context.getType());

  it.each<[string, Taken[]]>([
    ['takes the declared one', headers('x-tenants', 'x-tenant')],
    ['may read the declared one from the request', [...headers('x-tenants'), [Req(), Object]]],
    ['may read the declared one with a decorator of its own', [...headers('x-tenants'), [User(), String]]],
    ['has all headers', [...headers('x-tenants'), [Headers(), Object]]],
  ])('where the handler %s', async (_, parameters) => {
    const { api } = await startReading(reading(parameters), TENANT);
    expect(seenOf(await api.get('/v1/things/x', { headers: { 'X-Tenants': 'u' } }))).toBe('"u"');
  });

  it.each<[string, Taken[]]>([
    ['has a name of its own', cookies('affinity')],
    ['is beside the declared one', cookies('sessions', 'session')],
    ['is beside the header of all cookies', [...cookies('sessions'), ...headers('Cookie')]],
  ])('as a cookie that %s', async (_, parameters) => {
    const { api } = await startReading(reading(parameters), SESSION);
    const cookie = 'affinity=a; sessions=a; session=b';
    expect(seenOf(await api.get('/v1/things/x', { headers: { cookie } }))).toBe('"a"');
  });
});

describe('a name in the query that an interceptor or guard may add', () => {
  it.each<[string, Taken[], string, string]>([
    ['beside the request', [[Req(), Object], ...queries('value', 'limt')], 'limt', 'limit'],
    ['beside the whole query', [[Query(), Object], ...queries('value', 'Limit')], 'Limit', 'limit'],
  ])('stops the start if it looks like a misspelling %s', async (_, parameters, name, meant) => {
    const refusal = misspelling(`query parameter "${name}"`, meant);
    expect(await startRefusal(startReading(reading(parameters, passing), LIMIT))).toBe(refusal);
    expect(await startRefusal(startReading(reading(parameters), LIMIT, passingAll))).toBe(refusal);
    const guarded = reading(parameters);
    UseGuards({ canActivate: () => true })(guarded);
    expect(await startRefusal(startReading(guarded, LIMIT))).toBe(refusal);
  });

  it('starts, and has what was added', async () => {
    const { api } = await startReading(reading(queries('tenant', 'value'), adding));
    expect(seenOf(await api.get('/v1/things/x?value=a'))).toBe('"t"');
  });

  it('starts, and has what an interceptor of all handlers added', async () => {
    const prepare = (app: NestExpressApplication) => void app.useGlobalInterceptors(adding);
    const { api } = await startReading(reading(queries('tenant', 'value')), [], { prepare });
    expect(seenOf(await api.get('/v1/things/x?value=a'))).toBe('"t"');
  });
});

describe('a member of a body that is not named in the contract starts', () => {
  it.each<[string, object]>([
    ['where the body has any members', { type: 'object', additionalProperties: TEXT }],
    ['where the body declares none', { type: 'object' }],
    [
      'where the body requires it without a schema',
      { type: 'object', properties: { value: { ...TEXT, readOnly: true } }, required: ['valeu'] },
    ],
  ])('%s', async (_, body) => {
    const { api } = await startTaking([Body('valeu'), Object], body);
    expect(await api.post('/v1/things', { valeu: 'a' })).toMatchObject({ status: 201, json: { seen: '"a"' } });
  });
});
