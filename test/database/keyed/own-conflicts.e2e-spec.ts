import { describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  Catch,
  Controller,
  Header,
  Module,
  Post,
  type Provider,
  Res,
  type Type,
  UseFilters,
} from '@nestjs/common';
import { APP_FILTER, BaseExceptionFilter } from '@nestjs/core';
import type { Response } from 'express';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { DomainError } from '../../../src/platform/errors/domain-error.js';
import { ErrorResponses } from '../../../src/platform/errors/error-responses.decorator.js';
import { type StartedApp, startApp, startRefusal } from '../../support/start-app.js';
import { postOf, writeContract } from '../../platform/constructs/base-contract.js';

const CONTRACT = readFileSync(new URL('things.openapi.yaml', import.meta.url), 'utf8');

class ThingExists extends DomainError {
  readonly code = 'THING_EXISTS';
  readonly kind = 'conflict';
}

/** Its conflicts have no Retry-After. */
@Controller('things')
class PlainController {
  @Post()
  @ErrorResponses(409)
  add(): void {
    throw new ThingExists('The thing exists.');
  }
}

@ErrorResponses(409)
@Controller('things')
class DocumentedController {
  @Post()
  add(): void {
    throw new ThingExists('The thing exists.');
  }
}

@Controller('things')
class HeaderController {
  @Post()
  @Header('Retry-After', '60')
  @ErrorResponses(409)
  add(): void {
    throw new ThingExists('The thing exists.');
  }
}

@Catch(ThingExists)
class PatientFilter extends BaseExceptionFilter {
  override catch(error: ThingExists, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().setHeader('Retry-After', '60');
    super.catch(error, host);
  }
}

@Controller('things')
class FilteredController {
  @Post()
  @UseFilters(PatientFilter)
  @ErrorResponses(409)
  add(): void {
    throw new ThingExists('The thing exists.');
  }
}

@Controller('things')
class PatientController {
  @Post()
  @ErrorResponses(409)
  add(@Res({ passthrough: true }) response: Response): void {
    response.setHeader('Retry-After', 60);
    throw new ThingExists('The thing exists.');
  }
}

function start(controller: Type<object>, required: boolean, filter?: Provider): Promise<StartedApp> {
  @Module({ controllers: [controller], ...(filter && { providers: [filter] }) })
  class ThingsModule {}
  const contract = parse(CONTRACT);
  postOf(contract).responses[409].headers['Retry-After'].required = required;
  return startApp({}, { contractFile: writeContract(contract), features: [ThingsModule] });
}

describe('a conflict of its own in an operation with an Idempotency-Key', () => {
  it.each([PlainController, DocumentedController])(
    'stops the start when nothing sets the Retry-After that 409 requires: %p',
    async (controller) => {
      expect(await startRefusal(start(controller, true))).toBe(
        `FILE:1:1 ${controller.name}.add responds to addThing with a 409 of its own, which has no Retry-After; make the header optional, or set it by @Header().`,
      );
    },
  );

  it.each<[string, Type<object>, boolean, string | undefined, Provider | undefined]>([
    ['none where it is optional', PlainController, false, undefined, undefined],
    ['that of its handler', PatientController, true, '60', undefined],
    ['that of @Header()', HeaderController, true, '60', undefined],
    ['that of a filter', FilteredController, true, '60', undefined],
    ['that of a filter of all', PlainController, true, '60', { provide: APP_FILTER, useClass: PatientFilter }],
  ])('has as Retry-After %s', async (_, controller, required, retryAfter, filter) => {
    const started = await start(controller, required, filter);
    const headers = { 'idempotency-key': 'one' };
    const response = await started.api.post('/v1/things?how=x', {}, { headers });
    const { status, json } = response;
    expect({ status, json, retryAfter: response.header('retry-after') }).toEqual({
      status: 409,
      json: { code: 'THING_EXISTS', message: 'The thing exists.', status: 409 },
      retryAfter,
    });
    await started.close();
  });
});
