import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Header, Module, NotFoundException, Param, Res, type Type } from '@nestjs/common';
import type { Response } from 'express';
import { gzipSync } from 'node:zlib';
import { FAILED, outcome } from '../../../properties/outcome.js';
import { type StartedApp, startApp, startRefusal } from '../../../support/start-app.js';
import { baseContract, getOf, json, writeContract } from '../../constructs/base-contract.js';
import { collectErrors } from '../toys/log.js';

const FORMS: [string, string][] = [
  ['Content-Encoding', 'gzip'],
  ['Transfer-Encoding', 'gzip'],
  ['Trailer', 'X-Checksum'],
];

/** A handler that sets a header of a body, and returns that body or fails. */
function start(name: string, value: string, type: string, body: unknown): Promise<StartedApp> {
  @Controller('things')
  class Things {
    @Get(':thingId')
    get(@Param('thingId') thingId: string, @Res({ passthrough: true }) response: Response): unknown {
      response.setHeader(name, value);
      if (thingId === 'none') throw new NotFoundException('There is no such thing.');
      return body;
    }
  }

  return startWith(Things, type);
}

function startWith(controller: Type<object>, type: string): Promise<StartedApp> {
  @Module({ controllers: [controller] })
  class FormsModule {}
  const contract = baseContract('3.0.3');
  delete contract.paths['/things'];
  if (type === '') delete getOf(contract).responses[200].content;
  else if (type === 'text/csv') getOf(contract).responses[200].content = { [type]: { schema: { type: 'string' } } };
  else getOf(contract).responses[200].content = json({ type: 'object', additionalProperties: true });
  const file = writeContract(contract);
  return startApp({}, { contractFile: file, features: [FormsModule] });
}

/** A handler with a header that is always the same. */
function withHeader(value: string, name = 'content-type'): Type<object> {
  @Controller('things')
  class ThingsController {
    @Get(':thingId')
    @Header(name, value)
    get(@Param('thingId') thingId: string): unknown {
      return `id\n${thingId}`;
    }
  }
  return ThingsController;
}

describe('a header that contradicts the body', () => {
  it.each(FORMS)('causes a 500 and a log entry beside the JSON of a handler: %s', async (name, value) => {
    const started = await start(name, value, 'application/json', { a: 1 });
    const errors = collectErrors(started.app);
    const response = await started.api.get('/v1/things/one');
    expect(outcome(response)).toEqual(FAILED);
    expect(response.headers[name.toLowerCase()]).toBeUndefined();
    expect(errors.join()).toContain(
      `getThing returned 200: the header ${name} is set, but the body is sent as plain JSON`,
    );
    await started.close();
  });

  it.each(['identity', 'gzip'])('causes a 500 and a log entry beside a text: Transfer-Encoding: %s', async (value) => {
    const started = await start('Transfer-Encoding', value, 'text/csv', 'a,b');
    const errors = collectErrors(started.app);
    const response = await started.api.get('/v1/things/one');
    expect(outcome(response)).toEqual(FAILED);
    expect(response.headers['transfer-encoding']).toBeUndefined();
    expect(errors.join()).toContain(
      `the header Transfer-Encoding is ${value}, with which no client finds the end of the body`,
    );
    await started.close();
  });

  it('is sent with a text where the body has it: Transfer-Encoding: chunked', async () => {
    const started = await start('Transfer-Encoding', 'chunked', 'text/csv', 'a,b');
    const response = await started.api.get('/v1/things/one');
    expect([response.status, response.bytes.toString()]).toEqual([200, 'a,b']);
    await started.close();
  });

  it('is not sent with the error of a handler whose body is compressed', async () => {
    const started = await start('Content-Encoding', 'gzip', 'text/csv', gzipSync('a,b'));
    const response = await started.api.get('/v1/things/none');
    expect(response).toMatchObject({ status: 404, json: { message: 'There is no such thing.' } });
    expect(response.headers['content-encoding']).toBeUndefined();
    await started.close();
  });
});

describe('the media type of a handler whose operation declares JSON', () => {
  it.each(['application/problem+json', 'text/html; charset=utf-8', 'json'])(
    'causes a 500 and a log entry when it is another one: %s',
    async (value) => {
      const started = await start('Content-Type', value, 'application/json', { a: 1 });
      const errors = collectErrors(started.app);
      expect(outcome(await started.api.get('/v1/things/one'))).toEqual(FAILED);
      const [essence] = value.split(';');
      expect(errors.join()).toContain(
        `getThing returned 200: the media type is ${essence}, but the body is sent as JSON`,
      );
      await started.close();
    },
  );

  it.each(['application/json; profile="a"', 'application/json; charset=utf-16'])(
    'causes a 500 and a log entry when it has a parameter that JSON is sent without: %s',
    async (value) => {
      const started = await start('Content-Type', value, 'application/json', { a: 1 });
      const errors = collectErrors(started.app);
      expect(outcome(await started.api.get('/v1/things/one'))).toEqual(FAILED);
      expect(errors.join()).toContain(
        `getThing returned 200: the Content-Type is ${value}, but JSON is sent as application/json`,
      );
      await started.close();
    },
  );

  it.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8',
  ])('may be that of JSON: %s', async (value) => {
    const started = await start('Content-Type', value, 'application/json', { a: 1 });
    const response = await started.api.get('/v1/things/one');
    expect(response).toMatchObject({ status: 200, json: { a: 1 } });
    expect(response.header('content-type')).toBe('application/json');
    await started.close();
  });

  it('does not become that of an error', async () => {
    const started = await start('Content-Type', 'text/html', 'application/json', { a: 1 });
    const response = await started.api.get('/v1/things/none');
    expect(response).toMatchObject({ status: 404, json: { message: 'There is no such thing.' } });
    expect(response.header('content-type')).toBe('application/json');
    await started.close();
  });

  it.each<[string, string, string]>([
    [
      'another one',
      'application/hal+json; charset=utf-8',
      'application/hal+json; charset=utf-8 by @Header(), which openapi.yaml does not declare for getThing; declare the media type there, or remove @Header().',
    ],
    [
      'a parameter that JSON is sent without',
      'application/json; profile="a"',
      'application/json; profile="a" by @Header(), but JSON is sent as application/json; remove the parameter, or @Header().',
    ],
  ])('stops the start when @Header() sets %s', async (_, value, ending) => {
    expect(await startRefusal(startWith(withHeader(value), 'application/json'))).toBe(
      `FILE:1:1 ThingsController.get sends ${ending}`,
    );
  });

  it('stops the start when @Header() sets one for a response without a body', async () => {
    expect(await startRefusal(startWith(withHeader('text/csv'), ''))).toBe(
      'FILE:1:1 ThingsController.get sends text/csv by @Header(), which openapi.yaml does not declare for getThing; declare the media type there, or remove @Header().',
    );
  });

  it('stops the start when @Header() sets one that only errors have', async () => {
    expect(await startRefusal(startWith(withHeader('application/json'), 'text/csv'))).toBe(
      'FILE:1:1 ThingsController.get sends application/json by @Header(), which openapi.yaml does not declare for getThing; declare the media type there, or remove @Header().',
    );
  });

  it('may be set by @Header() when the operation declares it', async () => {
    const started = await startWith(withHeader('text/csv; charset=utf-8'), 'text/csv');
    const response = await started.api.get('/v1/things/one');
    expect([response.status, response.header('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    await started.close();
  });
});

describe('a header of @Header()', () => {
  it.each([
    ['X Secret', 'a', 'Header name must be a valid HTTP token ["X Secret"]'],
    ['X-Secret', 'a\nb', 'Invalid character in header content ["X-Secret"]'],
    ['X-Secret', 'Zoë ☂', 'Invalid character in header content ["X-Secret"]'],
  ])('stops the start when no response can carry it: %j with the value %j', async (name, value, reason) => {
    expect(await startRefusal(startWith(withHeader(value, name), 'text/csv'))).toBe(
      `FILE:1:1 ThingsController.get sets "${name}" by @Header(), which no response can carry: ${reason}; correct it there.`,
    );
  });
});
