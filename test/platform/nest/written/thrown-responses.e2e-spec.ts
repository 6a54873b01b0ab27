import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  BadGatewayException,
  Controller,
  Get,
  HttpException,
  Module,
  NotFoundException,
  Param,
  Post,
  Res,
  StreamableFile,
} from '@nestjs/common';
import type { Response } from 'express';
import { FAILED, outcome } from '../../../properties/outcome.js';
import { type StartedApp, startApp } from '../../../support/start-app.js';
import { baseContract, type Part, writeContract } from '../../constructs/base-contract.js';
import { uncheckedClient } from '../headers/opened.js';
import { collectErrors } from '../toys/log.js';

const TAG = '"1"';

/** What the handler does by the id of the thing. */
const ACTS: Record<string, (response: Response) => HttpException> = {
  unchanged: (response) => (response.set('ETag', TAG), new HttpException('Not Modified', 304)),
  untagged: () => new HttpException('Not Modified', 304),
  moved: (response) => (response.set('Location', '/v1/things/2'), new HttpException('See Other', 303)),
  accepted: () => new HttpException('Accepted', 202),
  602: () => new HttpException('No status of HTTP', 602),
  1000: () => new HttpException('Nothing that Node could send', 1000),
  NaN: () => new HttpException('No number', NaN),
  502: () => new BadGatewayException('An undeclared one'),
  named: (response) => ((response.statusMessage = 'Saved Rex'), new NotFoundException('No such thing.')),
  unsendable: (response) => ((response.statusMessage = 'Saved €'), new NotFoundException('No such thing.')),
};

@Controller('things')
class ThingsController {
  @Post()
  add(@Res({ passthrough: true }) response: Response): object {
    response.statusMessage = 'Saved\r\n€';
    return {};
  }

  @Get(':thingId')
  get(@Param('thingId') thingId: string, @Res({ passthrough: true }) response: Response): never {
    throw ACTS[thingId]!(response);
  }
}

/** What goes out as text. */
const TEXTS: Record<string, () => unknown> = {
  text: () => 'a,b',
  file: () => new StreamableFile(Buffer.from('a,b')),
  generator: async function* lines() {
    yield 'a,b';
  },
};

@Controller('texts')
class TextsController {
  @Get(':kind')
  get(@Param('kind') kind: string, @Res({ passthrough: true }) response: Response): unknown {
    response.statusMessage = 'Saved €';
    return TEXTS[kind]!();
  }
}

@Module({ controllers: [ThingsController, TextsController] })
class ThrowingModule {}

function contractFile(): string {
  const contract: Part = baseContract('3.0.3');
  const { get } = contract.paths['/things/{thingId}'];
  const header = { required: true, schema: { type: 'string' } };
  get.responses[202] = { ...get.responses[200] };
  get.responses[303] = { description: 'Elsewhere.', headers: { Location: header } };
  get.responses[304] = { description: 'Unchanged.', headers: { ETag: header } };
  get.parameters[0].schema = { type: 'string' };
  const texts = structuredClone(get);
  texts.operationId = 'getText';
  texts.parameters[0].name = 'kind';
  texts.responses[200].content = { 'text/csv': { schema: { type: 'string' } } };
  contract.paths['/texts/{kind}'] = { get: texts };
  return writeContract(contract);
}

let service: StartedApp;
let errors: string[];

beforeAll(async () => {
  service = await startApp({}, { contractFile: contractFile(), features: [ThrowingModule] });
  errors = collectErrors(service.app);
});

const get = (thingId: string) => uncheckedClient(service).request('GET', `/v1/things/${thingId}`);

describe('an exception whose status is no error', () => {
  it.each([
    ['304', 'unchanged', 304, 'etag', TAG],
    ['a redirection', 'moved', 303, 'location', '/v1/things/2'],
  ])('is a response without a body: %s', async (_, thingId, status, name, value) => {
    const response = await get(thingId);
    expect([response.status, response.header(name), response.bytes.length]).toEqual([status, value, 0]);
  });

  it.each([
    ['lacks a required header', 'untagged', 'returned 304: the header ETag is missing'],
    ['needs a body', 'accepted', 'returned 202: an exception has no body for it, but the contract declares one'],
  ])('is a 500 when the response %s', async (_, thingId, reason) => {
    errors.splice(0);
    expect(outcome(await get(thingId))).toEqual(FAILED);
    expect(errors.join()).toContain(reason);
  });
});

describe('an exception whose status is not declared', () => {
  it.each(['602', '1000', 'NaN', '502'])('is a 500, and the log says so: %s', async (status) => {
    errors.splice(0);
    expect(outcome(await get(status))).toEqual(FAILED);
    expect(errors).toEqual([
      expect.stringContaining(
        `getThing failed with ${status}, which openapi.yaml does not declare; declare the status there, or throw another one.`,
      ),
    ]);
  });
});

describe('a status message that the handler sets', () => {
  it.each(['named', 'unsendable'])('is not that of an error: %s', async (thingId) => {
    const headers = { authorization: `Bearer ${service.key}` };
    const response = await fetch(`${service.baseUrl}/v1/things/${thingId}`, { headers });
    expect([response.status, response.statusText]).toEqual([404, 'Not Found']);
    expect(await response.json()).toEqual({ code: 'NOT_FOUND', message: 'No such thing.', status: 404 });
  });

  it.each(Object.keys(TEXTS))('is a 500 when HTTP cannot send it with a %s', async (kind) => {
    errors.splice(0);
    expect(outcome(await uncheckedClient(service).request('GET', `/v1/texts/${kind}`))).toEqual(FAILED);
    expect(errors).toEqual([
      expect.stringContaining('getText returned 200 with a status message that HTTP cannot send: "Saved €"'),
    ]);
  });

  it('is a 500 when HTTP cannot send it, and the service keeps serving', async () => {
    const client = uncheckedClient(service);
    for (let count = 0; count < 2; count += 1)
      expect(outcome(await client.request('POST', '/v1/things', { body: '{}' }))).toEqual(FAILED);
  });
});
