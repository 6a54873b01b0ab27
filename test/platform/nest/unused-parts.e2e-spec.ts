import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  Get,
  Inject,
  Module,
  type NestInterceptor,
  Param,
  Post,
  Query,
  Req,
  Res,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { type StartedApp, startApp, startRefusal } from '../../support/start-app.js';
import { baseContract, getOf, type Part, writeContract } from '../constructs/base-contract.js';

let started: StartedApp | undefined;

afterEach(async () => {
  await started?.close();
  started = undefined;
});

@Controller('things')
class WithoutBody {
  @Post()
  add(): object {
    return {};
  }

  @Get(':thingId')
  get(@Param('thingId') _thingId: string, @Query('colour') _colour: unknown): object {
    return {};
  }
}

@Controller('things')
class WithoutQuery {
  @Post()
  add(@Body() _body: unknown): object {
    return {};
  }

  @Get(':thingId')
  get(@Param('thingId') _thingId: string): object {
    return {};
  }
}

@Controller('things')
class WithRequest {
  @Post()
  add(@Req() _request: unknown): object {
    return {};
  }

  @Get(':thingId')
  get(@Param('thingId') _thingId: string, @Res({ passthrough: true }) _response: unknown): object {
    return {};
  }
}

const observe: NestInterceptor = { intercept: (_, next) => next.handle() };

@Controller('things')
@UseInterceptors(observe)
class WithInterceptor extends WithoutBody {}

@Controller('things')
class WithInjection extends WithoutBody {
  @Inject(REQUEST)
  readonly request: unknown;
}

function start(controller: Type<object>, withMiddleware = false): Promise<StartedApp> {
  @Module({ controllers: [controller] })
  class ThingsModule {}
  const contract: Part = baseContract('3.0.3');
  getOf(contract).parameters.push({ name: 'colour', in: 'query', schema: { type: 'string' } });
  getOf(contract).responses[400] = getOf(contract).responses[404];
  const prepare = withMiddleware
    ? {
        prepare: (app: { use: (middleware: unknown) => unknown }) =>
          void app.use((_: unknown, __: unknown, next: () => void) => next()),
      }
    : {};
  return startApp({}, { contractFile: writeContract(contract), features: [ThingsModule], ...prepare });
}

describe('a part of a request that the contract declares', () => {
  it.each([
    ['a body', WithoutBody, 'a body is declared here, but WithoutBody.add does not take it'],
    ['a query', WithoutQuery, 'colour is declared here, but WithoutQuery.get does not take it'],
  ])('stops the start when nothing reads it: %s', async (_, controller, reason) => {
    const refusal = await startRefusal(start(controller));
    expect(refusal).toBe(`FILE:1:1 ${reason}; add it there, or remove it here.`);
  });

  it.each([
    ['the handlers have the request, or the response, which leads to it', WithRequest, false],
    ['an interceptor may', WithInterceptor, false],
    ['the controller has the request', WithInjection, false],
    ['middleware may', WithoutBody, true],
  ])('does not stop the start when something may read it: %s', async (_, controller, withMiddleware) => {
    started = await start(controller, withMiddleware);
    expect((await started.api.post('/v1/things', {})).status).toBe(201);
  });
});
