import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ArgumentsHost, Catch, Controller, Get, HttpException, Module } from '@nestjs/common';
import { APP_FILTER, BaseExceptionFilter, NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import type { AddressInfo } from 'node:net';
import { FEATURES } from '../../../src/app.module.js';
import { badRequest, MISSING_KEY, noResourceAt, outcome, rejection } from '../../properties/outcome.js';
import { startApp, type StartOptions } from '../../support/start-app.js';

const seen: string[] = [];

/** As Nest's documentation has it. */
@Catch()
class LoggingFilter extends BaseExceptionFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    seen.push((exception as Error).message);
    super.catch(exception, host);
  }
}

@Catch()
class UnknownErrorFilter extends BaseExceptionFilter {
  override handleUnknownError(...args: Parameters<BaseExceptionFilter['handleUnknownError']>): void {
    seen.push((args[0] as Error).message);
    super.handleUnknownError(...args);
  }
}

function provided(filter: typeof LoggingFilter | typeof UnknownErrorFilter): StartOptions {
  @Module({ providers: [{ provide: APP_FILTER, useClass: filter }] })
  class FilterModule {}
  return { features: [...FEATURES, FilterModule] };
}

function used(filterOf: (app: NestExpressApplication) => BaseExceptionFilter): StartOptions {
  return { prepare: (app) => void app.useGlobalFilters(filterOf(app)) };
}

const NO_PET_MESSAGE = 'No pet has the id 9.';
const NO_PET = rejection(404, 'PET_NOT_FOUND', NO_PET_MESSAGE);
const NO_LIMIT = badRequest('limit must be an integer from 1 to 100');

beforeEach(() => {
  seen.splice(0);
});

describe('a filter that extends BaseExceptionFilter', () => {
  it.each([
    ['provided', provided(LoggingFilter)],
    ['given the adapter', used((app) => new LoggingFilter(app.getHttpAdapter()))],
  ])('sends the Error bodies of the service by super.catch when it is %s', async (_, options) => {
    const { api } = await startApp({}, options);
    expect(outcome(await api.get('/v1/pets?limit=x'))).toEqual(NO_LIMIT);
    expect(outcome(await api.get('/v1/pets/9'))).toEqual(NO_PET);
    expect(outcome(await api.get('/v1/pets/9', { key: null }))).toEqual(MISSING_KEY);
    expect(outcome(await api.get('/nothing'))).toEqual(noResourceAt('/nothing'));
    expect(seen).toHaveLength(4);
    expect(seen).toContain(NO_PET_MESSAGE);
  });

  it('may override handleUnknownError', async () => {
    const { api } = await startApp({}, provided(UnknownErrorFilter));
    expect(outcome(await api.get('/v1/pets?limit=x'))).toEqual(NO_LIMIT);
    expect(outcome(await api.get('/v1/pets/9'))).toEqual(NO_PET);
    expect(seen).toEqual([NO_PET_MESSAGE]);
  });
});

describe('another application of the same process', () => {
  @Controller()
  class TeaController {
    @Get('exception')
    exception(): never {
      throw new HttpException('The tea is cold.', 418);
    }

    @Get('error')
    error(): never {
      throw new Error('hunter2');
    }
  }

  @Module({ controllers: [TeaController], providers: [{ provide: APP_FILTER, useClass: LoggingFilter }] })
  class TeaModule {}

  let app: NestExpressApplication;

  beforeAll(async () => {
    await startApp();
    app = await NestFactory.create<NestExpressApplication>(TeaModule, new ExpressAdapter(), { logger: false });
    await app.listen(0, '127.0.0.1');
  });

  afterAll(() => app.close());

  it.each([
    ['exception', { statusCode: 418, message: 'The tea is cold.' }],
    ['error', { statusCode: 500, message: 'Internal server error' }],
  ])("keeps Nest's own body of an %s", async (path, body) => {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/${path}`);
    expect(await response.json()).toEqual(body);
  });
});
