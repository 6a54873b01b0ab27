import { describe, expect, it } from '@jest/globals';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  Header,
  Headers,
  Injectable,
  Module,
  type NestInterceptor,
  Param,
  Req,
  Res,
  Scope,
  type Type,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AcceptedType } from '../../../src/platform/http/request/accepted-type.decorator.js';
import { startApp, type StartedApp, type StartOptions, startRefusal } from '../../support/start-app.js';
import { baseContract, getOf } from '../constructs/base-contract.js';

const file = join(mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'accepted-')), 'openapi.yaml');

@Injectable()
class PassThrough implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    return next.handle();
  }
}

interface Thing {
  readonly parameter?: ParameterDecorator;
  readonly handler?: MethodDecorator;
  readonly scope?: Scope;
  readonly schema?: object;
  readonly other?: string;
  readonly providers?: object[];
  readonly prepare?: StartOptions['prepare'];
}

/** Starts with one operation, whose response is JSON or CSV. */
function start(thing: Thing): Promise<StartedApp> {
  const { parameter = Param(), handler = Get(':thingId'), scope = Scope.DEFAULT } = thing;
  @Controller({ path: 'things', scope })
  class Things {
    get(): unknown {
      return { a: 1 };
    }
  }
  const method = Object.getOwnPropertyDescriptor(Things.prototype, 'get')!;
  for (const decorate of [Get(':thingId'), handler]) decorate(Things.prototype, 'get', method);
  parameter(Things.prototype, 'get', 0);
  const contract = baseContract('3.0.3');
  contract.paths = { '/things/{thingId}': { get: getOf(contract) } };
  const { schema = { type: 'object', properties: { a: { type: 'string' } } }, other = 'application/json' } = thing;
  const types = { [other]: { schema }, 'text/csv': { schema: { type: 'string' } } };
  getOf(contract).responses[200].content = types;
  writeFileSync(file, JSON.stringify(contract));
  const providers = (thing.providers ?? []) as Type<object>[];
  @Module({ controllers: [Things], providers })
  class ThingsModule {}
  return startApp(
    {},
    { contractFile: file, features: [ThingsModule], ...(thing.prepare && { prepare: thing.prepare }) },
  );
}

describe('a handler of an operation with several media types', () => {
  it('stops the start when nothing tells it which one is chosen', async () => {
    await expect(start({})).rejects.toThrow(
      /openapi\.yaml:\d+:\d+ Things\.get would return the same for each of application\/json, text\/csv, among which requests of getThing choose; take the choice with @AcceptedType\(\)\.$/,
    );
  });

  it('stops the start when nothing tells it of which type its text is', async () => {
    await expect(start({ schema: { type: 'string' }, other: 'text/plain' })).rejects.toThrow(
      /openapi\.yaml:\d+:\d+ Things\.get would return the same for each of text\/plain, text\/csv, among which requests of getThing choose; take the choice with @AcceptedType\(\)\.$/,
    );
  });

  it.each(['text/csv', 'application/json'])(
    'stops the start when @Header() sets one Content-Type for all requests: %s',
    async (type) => {
      const started = start({ parameter: AcceptedType(), handler: Header('Content-Type', type) });
      expect(await startRefusal(started)).toBe(
        `FILE:1:1 Things.get sends ${type} by @Header(), whatever a request of getThing accepts; remove @Header().`,
      );
    },
  );

  it.each<[string, Thing]>([
    ['the response', { parameter: Res({ passthrough: true }) }],
    ['an interceptor', { parameter: AcceptedType(), providers: [{ provide: APP_INTERCEPTOR, useClass: PassThrough }] }],
  ])('may replace the Content-Type of @Header() when it has %s', async (_, thing) => {
    await expect(start({ ...thing, handler: Header('Content-Type', 'text/csv') })).resolves.toBeDefined();
  });

  it.each<[string, Thing]>([
    ['@AcceptedType()', { parameter: AcceptedType() }],
    ['the request', { parameter: Req() }],
    ['the response', { parameter: Res({ passthrough: true }) }],
    ['a header', { parameter: Headers('accept') }],
    ['an interceptor', { handler: UseInterceptors(PassThrough) }],
    ['a guard', { handler: UseGuards({ canActivate: () => true }) }],
    ['an interceptor of all', { providers: [{ provide: APP_INTERCEPTOR, useClass: PassThrough }] }],
    ['an interceptor that is added later', { prepare: (app) => void app.useGlobalInterceptors(new PassThrough()) }],
    ['the request that is injected', { scope: Scope.REQUEST }],
    ['text, which is JSON as well', { schema: { type: 'string' } }],
  ])('does not stop the start when it has %s', async (_, thing) => {
    await expect(start(thing)).resolves.toBeDefined();
  });
});
