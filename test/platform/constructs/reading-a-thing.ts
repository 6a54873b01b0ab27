import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  Module,
  type NestInterceptor,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import type { Request } from 'express';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeJson } from '../../support/contract/exact-json.js';
import { type StartedApp, startApp, type StartOptions } from '../../support/start-app.js';
import { baseContract, getOf, json } from './base-contract.js';

const TEXT = { type: 'string' };

export type Taken = readonly [ParameterDecorator, Type<unknown>];

/** A handler with these parameters, which returns the first, and interceptors. */
export function reading(parameters: readonly Taken[], ...interceptors: NestInterceptor[]): Type<object> {
  @Controller('things')
  class Things {
    @Get(':thingId')
    get(value: object): object {
      return { seen: writeJson(value) };
    }
  }
  for (const [at, [decorate]] of parameters.entries()) decorate(Things.prototype, 'get', at);
  const types = parameters.map(([, type]) => type);
  Reflect.defineMetadata('design:paramtypes', types, Things.prototype, 'get');
  if (interceptors.length > 0) UseInterceptors(...interceptors)(Things);
  return Things;
}

/** An operation `GET /things/{thingId}` with the query parameter `value`. */
export function startReading(
  controller: Type<object>,
  parameters: readonly object[] = [],
  options: Omit<StartOptions, 'contractFile' | 'features'> = {},
): Promise<StartedApp> {
  @Module({ controllers: [controller] })
  class ReadingModule {}
  const contract = baseContract('3.0.3');
  const get = getOf(contract);
  get.parameters.push({ name: 'value', in: 'query', schema: TEXT }, ...parameters);
  get.responses[400] = get.responses[404];
  get.responses[200].content = json({ type: 'object', properties: { seen: TEXT } });
  contract.paths = { '/things/{thingId}': { get } };
  const file = join(mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'reading-')), 'openapi.yaml');
  writeFileSync(file, writeJson(contract));
  return startApp({}, { ...options, contractFile: file, features: [ReadingModule] });
}

/** An interceptor that adds to each request. */
export const adding: NestInterceptor = {
  intercept(context: ExecutionContext, next: CallHandler) {
    Object.assign(context.switchToHttp().getRequest<Request>().query, { tenant: 't' });
    return next.handle();
  },
};
