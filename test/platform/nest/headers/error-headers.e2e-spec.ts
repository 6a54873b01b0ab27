import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  BadRequestException,
  Catch,
  ConflictException,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  GoneException,
  Header,
  Module,
  NotFoundException,
  Param,
  Post,
  Res,
  ServiceUnavailableException,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { BaseExceptionFilter, HttpAdapterHost } from '@nestjs/core';
import type { Response } from 'express';
import { type StartedApp, startApp } from '../../../support/start-app.js';
import { baseContract, getOf, postOf, writeContract } from '../../constructs/base-contract.js';
import { collectErrors } from '../toys/log.js';

const ERRORS: Record<string, () => Error> = {
  taken: () => new ConflictException('It is taken.'),
  gone: () => new GoneException('It was sold.'),
  later: () => new ServiceUnavailableException('Later.'),
  missing: () => new NotFoundException(),
  broken: () => new TypeError('broken'),
};

const setHeaders = (response: Response) =>
  response.setHeader('Cache-Control', 'public, max-age=60').setHeader('Retry-After', '7');

const failsIn = (place: string, [where, error]: string[]) => (where === place ? ERRORS[error!]!() : undefined);

const guard = {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const error = failsIn('guard', http.getRequest<{ path: string }>().path.slice(11).split('-'));
    if (!error) return true;
    setHeaders(http.getResponse());
    throw error;
  },
};

@Catch()
class SettingFilter extends BaseExceptionFilter implements ExceptionFilter {
  constructor(host: HttpAdapterHost) {
    super(host.httpAdapter);
  }

  override catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    if (http.getRequest<{ path: string }>().path.includes('filter')) setHeaders(http.getResponse());
    super.catch(error, host);
  }
}

@Controller('things')
@UseFilters(SettingFilter)
class ThingsController {
  @Post()
  @Header('Cache-Control', 'public, max-age=60')
  add(): never {
    throw new BadRequestException();
  }

  @Get(':thingId')
  @UseGuards(guard)
  get(@Param('thingId') thingId: string, @Res({ passthrough: true }) response: Response): object {
    const [place, error] = thingId.split('-') as [string, string];
    if (place === 'handler') setHeaders(response);
    if (place === 'file') response.setHeader('Content-Disposition', 'attachment; filename="thing.csv"');
    if (error === 'written') response.status(200).json({});
    throw ERRORS[error]?.() ?? new TypeError();
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

let started: StartedApp;
let errors: string[];

beforeAll(async () => {
  const contract = baseContract('3.0.3');
  delete postOf(contract).requestBody;
  const { responses } = getOf(contract);
  const cached = { 'Cache-Control': { schema: { type: 'string' } } };
  responses[409] = { ...responses[404] };
  responses[410] = { ...responses[404], headers: cached };
  responses[500] = { ...responses[404], headers: cached };
  responses[503] = { ...responses[404], headers: { ...cached, 'Retry-After': { schema: { type: 'integer' } } } };
  responses[404] = {
    ...responses[404],
    headers: { 'Cache-Control': { schema: { type: 'string', enum: ['no-store'] } } },
  };
  const file = writeContract(contract);
  started = await startApp({}, { contractFile: file, features: [ThingsModule] });
});

beforeEach(() => {
  errors = collectErrors(started.app);
});

const get = async (place: string, error: string) => {
  const response = await started.api.get(`/v1/things/${place}-${error}`);
  return [response.status, response.header('cache-control'), response.header('retry-after')];
};

describe('the Retry-After of a feature', () => {
  it.each(['handler', 'guard', 'filter'])('is kept in a 503: from a %s', async (place) => {
    expect(await get(place, 'later')).toEqual([503, 'no-store', '7']);
  });

  it('is 1 in a 503 where the feature has set none', async () => {
    expect(await get('nobody', 'later')).toEqual([503, 'no-store', '1']);
  });

  it('is not kept where only another response declares it', async () => {
    expect(await get('handler', 'missing')).toEqual([404, 'no-store', undefined]);
  });
});

describe('the file name of a handler that fails', () => {
  it('is not sent with the error', async () => {
    const response = await started.api.get('/v1/things/file-missing');
    expect([response.status, response.headers['content-disposition']]).toEqual([404, undefined]);
  });
});

describe('the Cache-Control of a feature', () => {
  it.each(['handler', 'guard', 'filter'])(
    'is kept where the contract declares it for the error: from a %s',
    async (place) => {
      expect(await get(place, 'gone')).toEqual([410, 'public, max-age=60', undefined]);
    },
  );

  it('is no-store where the feature has set none', async () => {
    expect(await get('nobody', 'gone')).toEqual([410, 'no-store', undefined]);
  });

  it('is not kept where the contract does not declare it for the error', async () => {
    expect(await get('handler', 'taken')).toEqual([409, 'no-store', undefined]);
  });

  it('is not kept where the contract refuses it for the error', async () => {
    expect(await get('handler', 'missing')).toEqual([404, 'no-store', undefined]);
    expect(errors).toEqual([]);
  });

  it('is not kept by an error that passes by itself, although the contract declares it', async () => {
    expect(await get('handler', 'later')).toEqual([503, 'no-store', '7']);
  });

  it('is not kept where the contract declares it for no response of the operation', async () => {
    const response = await started.api.request('POST', '/v1/things');
    expect([response.status, response.header('cache-control')]).toEqual([400, 'no-store']);
  });

  it('is not kept by an unexpected failure', async () => {
    expect(await get('handler', 'broken')).toEqual([500, 'no-store', undefined]);
    expect(errors.join()).toContain('broken');
  });

  it('is not kept by the 500 that replaces a response', async () => {
    expect(await get('handler', 'written')).toEqual([500, 'no-store', undefined]);
  });
});
