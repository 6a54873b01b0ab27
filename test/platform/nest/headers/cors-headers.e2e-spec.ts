import { describe, expect, it } from '@jest/globals';
import { BadRequestException, ForbiddenException } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, RequestHandler, Response } from 'express';
import { type StartedApp, startApp, startRefusal } from '../../../support/start-app.js';
import { baseContract, json, type Part, postOf, writeContract } from '../../constructs/base-contract.js';
import { things, ThingsModule } from '../../constructs/things.module.js';
import { closing, uncheckedClient } from './opened.js';

const SHOP = 'https://shop.example';
const text = (schema: object, required = false) => ({ required, schema: { type: 'string', ...schema } });

/** What a contract declares for some statuses of `POST /v1/things`, or without an operation. */
interface Declared {
  readonly statuses: readonly number[];
  readonly headers: object;
  readonly isProtocol?: boolean;
  /** Whether `POST /v1/things` chooses between two media types. */
  readonly hasForms?: boolean;
}

async function start(
  { statuses, headers, isProtocol, hasForms }: Declared,
  corsOrigins = [SHOP],
  middleware?: RequestHandler,
): Promise<StartedApp> {
  const contract: Part = baseContract('3.0.3');
  const { responses } = postOf(contract);
  if (hasForms) {
    responses[406] = { ...responses[503] };
    responses[201].content = { ...json({ type: 'string' }), 'text/plain': { schema: { type: 'string' } } };
  }
  const protocol = contract['x-protocol-responses'];
  Object.assign(protocol, { 204: { description: 'Sent.' }, 405: { ...protocol[404] } });
  const changed = isProtocol ? protocol : responses;
  for (const status of statuses) changed[status] = { ...changed[status], headers };
  const file = writeContract(contract);
  const prepare = (app: NestExpressApplication) => void (middleware && app.use(middleware));
  return closing(startApp({ corsOrigins }, { contractFile: file, features: [ThingsModule], prepare }));
}

const REFUSED: [what: string, declared: Declared, sent: string][] = [
  ['Vary of an error', { statuses: [401], headers: { Vary: text({ enum: ['Accept'] }) } }, '"Vary: Origin" with 401'],
  [
    'Vary of a choice',
    { statuses: [201], headers: { Vary: text({ enum: ['Accept'] }, true) }, hasForms: true },
    '"Vary: Origin, Accept" with 201',
  ],
  [
    'Vary of an error beside a choice',
    { statuses: [406], headers: { Vary: text({ enum: ['Accept'] }, true) }, hasForms: true },
    '"Vary: Origin, Accept" with 406',
  ],
  [
    'the origin',
    { statuses: [201, 503], headers: { 'Access-Control-Allow-Origin': text({ enum: ['*'] }) } },
    `"Access-Control-Allow-Origin: ${SHOP}" with 503`,
  ],
  [
    'the methods of a preflight',
    { statuses: [204], headers: { 'Access-Control-Allow-Methods': text({ enum: ['GET'] }) }, isProtocol: true },
    '"Access-Control-Allow-Methods: GET,HEAD,PUT,PATCH,POST,DELETE" with 204',
  ],
  [
    'Vary of OPTIONS',
    { statuses: [404], headers: { Vary: text({ enum: ['Origin'] }) }, isProtocol: true },
    '"Vary: Origin, Access-Control-Request-Headers" with 404',
  ],
  [
    'Vary of 405',
    { statuses: [405], headers: { Vary: text({ enum: ['Accept'] }) }, isProtocol: true },
    '"Vary: Origin" with 405',
  ],
];

describe('the schema of a header that CORS_ORIGINS adds', () => {
  it.each(REFUSED)('stops the start when it refuses what the service sends: %s', async (_, declared, sent) => {
    expect(await startRefusal(start(declared))).toBe(
      `FILE:1:1 with CORS_ORIGINS, the service sends ${sent}, which the schema must accept.`,
    );
  });

  it.each(REFUSED)('does not stop the start without CORS_ORIGINS: %s', async (_, declared) => {
    const started = await start(declared, []);
    const { status } = await uncheckedClient(started).request('POST', '/v1/things', { key: null, body: '{}' });
    expect(status).toBe(401);
  });

  it('does not stop the start when it accepts what the service sends', async () => {
    const headers = {
      Vary: text({ pattern: '^(Origin, )?Accept$' }, true),
      'Access-Control-Allow-Origin': text({ enum: [SHOP] }),
      'Access-Control-Expose-Headers': text({ pattern: 'X-Request-Id' }),
    };
    const started = await start({ statuses: [201, 401], headers, hasForms: true });
    Object.assign(things, { answer: 'ok', headers: {} });
    for (const [key, status] of [
      [undefined, 201],
      [null, 401],
    ] as const) {
      const sent = { body: '{}', headers: { origin: SHOP }, ...(key === null && { key }) };
      const response = await uncheckedClient(started).request('POST', '/v1/things', sent);
      expect([response.status, response.headers.vary?.join(', ')]).toEqual([status, 'Origin, Accept']);
      expect(response.headers['access-control-allow-origin']).toEqual([SHOP]);
    }
  });

  it('stays on errors when only a success declares it', async () => {
    const headers = { Vary: text({}), 'Access-Control-Allow-Origin': text({}) };
    const started = await start({ statuses: [201], headers });
    const client = uncheckedClient(started);
    for (const [key, status] of [
      [undefined, 400],
      [null, 401],
    ] as const) {
      const sent = { body: '[', headers: { origin: SHOP }, ...(key === null && { key }) };
      const { status: received, headers: found } = await client.request('POST', '/v1/things', sent);
      expect([received, found.vary, found['access-control-allow-origin']]).toEqual([status, ['Origin'], [SHOP]]);
    }
  });

  it('stays on errors of middleware when only a success declares it', async () => {
    const headers = { Vary: text({}), 'Access-Control-Allow-Origin': text({}) };
    const started = await start({ statuses: [201], headers }, [SHOP], (_: unknown, __: unknown, next: NextFunction) =>
      next(new ForbiddenException()),
    );
    const sent = { body: '{}', headers: { origin: SHOP } };
    const { status, headers: found } = await uncheckedClient(started).request('POST', '/v1/things', sent);
    expect([status, found.vary, found['access-control-allow-origin']]).toEqual([403, ['Origin'], [SHOP]]);
  });

  it('stays without what the handler adds to it before it fails', async () => {
    const cookie = { 'Set-Cookie': text({}) };
    const seen = (_: unknown, response: Response, next: NextFunction) => (response.cookie('seen', '1'), next());
    const started = await start({ statuses: [201], headers: cookie }, [SHOP], seen);
    Object.assign(things, {
      answer: new BadRequestException(),
      headers: { 'Set-Cookie': ['seen=1; Path=/', 'session=secret'] },
    });
    const { status, headers } = await uncheckedClient(started).request('POST', '/v1/things', { body: '{}' });
    expect([status, headers['set-cookie']]).toEqual([400, ['seen=1; Path=/']]);
  });

  it.each([
    ['Vary', 'Accept-Language'],
    ['Access-Control-Allow-Origin', '*'],
  ])('does not stop the start when a handler sets another value: %s', async (name, value) => {
    const started = await start({ statuses: [201], headers: { [name]: text({ enum: [value] }) } });
    Object.assign(things, { answer: {}, headers: { [name]: value } });
    const response = await uncheckedClient(started).request('POST', '/v1/things', {
      body: '{}',
      headers: { origin: SHOP },
    });
    expect([response.status, response.headers[name.toLowerCase()]]).toEqual([201, [value]]);
  });
});
