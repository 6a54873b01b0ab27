import { beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, HttpCode, Module, NotFoundException, Param, StreamableFile } from '@nestjs/common';
import { FAILED, outcome } from '../../../properties/outcome.js';
import type { HttpResponse } from '../../../support/http/http-response.js';
import { type StartedApp, startApp } from '../../../support/start-app.js';
import { baseContract, json, type Part, writeContract } from '../../constructs/base-contract.js';
import { elapsed } from '../toys/elapsed.js';
import { collectErrors } from '../toys/log.js';
import { uncheckedClient } from './opened.js';

/** What the handler returns by the kind in the path. */
const BODIES: Record<string, () => unknown> = {
  'a text': () => 'a,b',
  'a file': () => new StreamableFile(Buffer.from('a,b')),
  'a generator': async function* lines() {
    yield 'a,';
    yield 'b';
  },
};

@Controller()
class ThingsController {
  @Get('texts/:kind')
  getText(@Param('kind') kind: string): unknown {
    return BODIES[kind]!();
  }

  @Get('objects')
  getObject(): object {
    return { id: 1n };
  }

  @Get('empty')
  @HttpCode(204)
  getNothing(): void {}

  @Get('errors')
  getError(): never {
    throw new NotFoundException('No such thing.');
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

function contractFile(): string {
  const contract: Part = baseContract('3.0.3');
  const { get } = contract.paths['/things/{thingId}'];
  const header = { 'X-Elapsed': { required: true, schema: { type: 'integer' } } };
  const operation = (operationId: string, content?: object) => {
    const responses = { ...get.responses };
    responses[operationId === 'getNothing' ? 204 : 200] = { description: 'Given.', headers: header, content };
    if (operationId === 'getNothing') delete responses[200];
    responses[404] = { ...responses[404], headers: header };
    return { operationId, responses };
  };
  const kind = { name: 'kind', in: 'path', required: true, schema: { type: 'string' } };
  contract.paths = {
    '/texts/{kind}': {
      get: { ...operation('getText', { 'text/csv': { schema: { type: 'string' } } }), parameters: [kind] },
    },
    '/objects': {
      get: operation('getObject', json({ type: 'object', properties: { id: { type: 'integer', format: 'int64' } } })),
    },
    '/empty': { get: operation('getNothing') },
    '/errors': { get: operation('getError') },
  };
  return writeContract(contract);
}

let service: StartedApp;
let errors: string[];

beforeAll(async () => {
  service = await startApp(
    {},
    { contractFile: contractFile(), features: [ThingsModule], prepare: (app) => void app.use(elapsed) },
  );
  errors = collectErrors(service.app);
});

const RESPONSES: [what: string, path: string, status: number, body: string, length: string | undefined][] = [
  ...Object.keys(BODIES).map((kind): (typeof RESPONSES)[number] => [
    kind,
    `texts/${encodeURIComponent(kind)}`,
    200,
    'a,b',
    kind === 'a generator' ? undefined : '3',
  ]),
  ['an object', 'objects', 200, '{"id":1}', '8'],
  ['nothing', 'empty', 204, '', undefined],
  ['an error', 'errors', 404, '{"code":"NOT_FOUND","message":"No such thing.","status":404}', '60'],
];

const send = (path: string, value?: string): Promise<HttpResponse> =>
  uncheckedClient(service).request('GET', `/v1/${path}`, { headers: value === undefined ? {} : { 'x-value': value } });

describe('a required header that middleware sets when the head is written', () => {
  it.each(RESPONSES)('is sent with %s', async (_, path, status, body, length) => {
    const response = await send(path, '12');
    const headers = [response.header('X-Elapsed'), response.header('Content-Length')];
    expect([response.status, response.bytes.toString(), ...headers]).toEqual([status, body, '12', length]);
  });

  it.each(RESPONSES)('is a 500 when it breaks its schema with %s', async (_, path, status) => {
    errors.splice(0);
    expect(outcome(await send(path, 'soon'))).toEqual(FAILED);
    expect(errors.join()).toContain(`returned ${status}: the header X-Elapsed`);
  });

  it.each(RESPONSES)('is a 500 when it is missing with %s', async (_, path, status) => {
    errors.splice(0);
    expect(outcome(await send(path))).toEqual(FAILED);
    expect(errors.join()).toContain(`returned ${status}: the header X-Elapsed is missing`);
  });

  it.each(RESPONSES)(
    'is a 500 when the middleware changes the status to an undeclared one with %s',
    async (_, path) => {
      errors.splice(0);
      expect(outcome(await send(path, 'other'))).toEqual(FAILED);
      expect(errors.join()).toContain('returned 418, which openapi.yaml does not declare');
    },
  );

  it.each(RESPONSES)('is a 500 when the middleware throws with %s', async (_, path) => {
    errors.splice(0);
    expect(outcome(await send(path, 'none'))).toEqual(FAILED);
    expect(errors.join()).toContain('no value');
  });
});
