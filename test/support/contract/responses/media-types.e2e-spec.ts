import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  type MessageEvent,
  Module,
  NotFoundException,
  Res,
  Sse,
  StreamableFile,
} from '@nestjs/common';
import type { Response } from 'express';
import { Readable } from 'node:stream';
import { of } from 'rxjs';
import { AcceptedType } from '../../../../src/platform/http/request/accepted-type.decorator.js';
import { baseContract, getOf, json, type Part, writeContract } from '../../../platform/constructs/base-contract.js';
import { type StartedApp, startApp } from '../../start-app.js';

const TEXT = { schema: { type: 'string' } };
const ETAG = { ETag: { schema: { type: 'string' } } };

@Controller('forms')
class FormsController {
  @Get('csv')
  csv(@Res({ passthrough: true }) response: Response): string {
    response.setHeader('ETag', '"1"');
    return 'a,b';
  }

  @Get('either')
  either(@AcceptedType() type: string, @Res({ passthrough: true }) response: Response): unknown {
    response.setHeader('ETag', '"1"');
    return type === 'text/csv' ? 'a,b' : { a: 1 };
  }

  @Get('missing')
  missing(@AcceptedType() _type: string): never {
    throw new NotFoundException();
  }

  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(Readable.from(['a,', 'b']));
  }

  @Get('lines')
  async *lines(): AsyncGenerator<string> {
    yield 'a,';
    yield 'b';
  }

  @Sse('events')
  events() {
    return of<MessageEvent>({ data: 'a' });
  }
}

@Module({ controllers: [FormsController] })
class FormsModule {}

function contractFile(): string {
  const contract = baseContract('3.0.3');
  const { 404: missing, 500: failed, 503: unavailable, 401: unauthorized } = getOf(contract).responses;
  const form = (operationId: string, content: object, more: object = {}): Part => ({
    get: {
      operationId,
      responses: {
        200: { description: 'Found.', headers: ETAG, content },
        304: { description: 'Not modified.', headers: ETAG },
        401: unauthorized,
        500: failed,
        503: unavailable,
        ...more,
      },
    },
  });
  const csv = { 'text/csv': TEXT };
  const either = { ...json({ type: 'object', properties: { a: { type: 'integer' } } }), ...csv };
  contract.paths = {
    '/forms/csv': form('csv', csv),
    '/forms/either': form('either', either, { 406: missing }),
    '/forms/missing': form('missing', either, { 404: missing }),
    '/forms/file': form('file', csv),
    '/forms/lines': form('lines', csv),
    '/forms/events': form('events', { 'text/event-stream': TEXT }),
  };
  const file = writeContract(contract);
  return file;
}

describe('the client of the tests', () => {
  let service: StartedApp;
  beforeAll(async () => {
    service = await startApp({}, { contractFile: contractFile(), features: [FormsModule] });
  });

  it.each<[target: string, headers: Record<string, string>, status: number, text: string]>([
    ['csv', {}, 200, 'a,b'],
    ['csv', { 'if-none-match': '"1"' }, 304, ''],
    ['either', {}, 200, '{"a":1}'],
    ['either', { accept: 'text/csv' }, 200, 'a,b'],
    ['either', { 'if-none-match': '"1"' }, 304, ''],
    ['either', { accept: 'text/csv', 'if-none-match': '"1"' }, 304, ''],
    ['file', {}, 200, 'a,b'],
    ['lines', {}, 200, 'a,b'],
    ['events', {}, 200, '\nid: 1\ndata: a\n\n'],
  ])('accepts what the service sends for /forms/%s with %j', async (target, headers, status, text) => {
    const response = await service.api.get(`/v1/forms/${target}`, { headers });
    expect([response.status, response.text]).toEqual([status, text]);
  });

  it.each(['csv', 'either', 'file', 'lines'])(
    'accepts what the service sends for HEAD of /forms/%s',
    async (target) => {
      expect((await service.api.head(`/v1/forms/${target}`)).status).toBe(200);
    },
  );

  it.each([
    ['either', { accept: 'image/png' }, 406],
    ['missing', { accept: 'text/csv' }, 404],
  ])('accepts the error of /forms/%s with %j', async (target, headers, status) => {
    const response = await service.api.get(`/v1/forms/${target}`, { headers });
    expect([response.status, response.header('vary')]).toEqual([status, 'Accept']);
  });
});
