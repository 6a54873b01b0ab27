import { describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  ForbiddenException,
  Get,
  HttpException,
  Injectable,
  Module,
  NotFoundException,
  Param,
  Post,
  type Provider,
  Scope,
  type Type,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, BaseExceptionFilter } from '@nestjs/core';
import type { Response } from 'express';
import { outcome } from '../properties/outcome.js';
import { type StartedApp, startApp, startRefusal } from '../support/start-app.js';
import { baseContract, getOf, type Part, postOf, writeContract } from './constructs/base-contract.js';

@Injectable()
class OwnersGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Injectable({ scope: Scope.REQUEST })
class RequestOwnersGuard extends OwnersGuard {}

const NO_SUCH_THING = { code: 'NOT_FOUND', message: 'No such thing.', status: 404 };

class ForbiddenFilter implements ExceptionFilter<HttpException> {
  catch(_: HttpException, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(404).json(NO_SUCH_THING);
  }
}
@Catch()
class AllFilter extends ForbiddenFilter {}
@Catch(HttpException)
class ExceptionsFilter extends ForbiddenFilter {}
@Catch(NotFoundException)
class MissingFilter extends ForbiddenFilter {}

/** Controllers inherit its methods, but have guards of their own. */
abstract class BothHandlers {
  @Get(':thingId')
  get(): object {
    return {};
  }

  @Post()
  add(): object {
    return {};
  }
}

@Catch(ForbiddenException)
class PassingFilter extends BaseExceptionFilter {}
@Catch(HttpException)
class LoggingFilter extends BaseExceptionFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    super.catch(exception, host);
  }
}
@Catch(ForbiddenException)
class AnsweringFilter extends BaseExceptionFilter {
  override catch(_: unknown, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(404).json(NO_SUCH_THING);
  }
}
@Catch(HttpException)
class ChoosingFilter extends BaseExceptionFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    const isRefused = exception instanceof ForbiddenException;
    if (isRefused) host.switchToHttp().getResponse<Response>().status(404).json(NO_SUCH_THING);
    else super.catch(exception, host);
  }
}
@Catch(ForbiddenException)
class ReplacingFilter extends BaseExceptionFilter {
  override catch(_: unknown, host: ArgumentsHost): void {
    super.catch(new NotFoundException(NO_SUCH_THING.message), host);
  }
}
@Catch(ForbiddenException)
class DerivedFilter extends AnsweringFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    super.catch(exception, host);
  }
}

function things(ofController: ClassDecorator[], ofHandler: MethodDecorator[] = [], providers: Provider[] = []): Type {
  @Controller('things')
  class Things {
    @Get(':thingId')
    get(@Param('thingId') thingId: string): object {
      return { thingId };
    }

    @Post()
    add(): object {
      return {};
    }
  }
  for (const decorate of ofController) decorate(Things);
  const handler = Object.getOwnPropertyDescriptor(Things.prototype, 'get')!; // it is above
  for (const decorate of ofHandler) decorate(Things.prototype, 'get', handler);
  @Module({ controllers: [Things], providers })
  class ThingsModule {}
  return ThingsModule;
}

/** Of a GET that declares no 403, unless `edit` adds it. */
function start(feature: Type, edit: (contract: Part) => void = () => {}): Promise<StartedApp> {
  const contract = baseContract('3.0.3');
  delete getOf(contract).responses[403];
  edit(contract);
  return startApp({}, { contractFile: writeContract(contract), features: [feature] });
}

const NO_403 =
  'and Nest responds with 403 when a guard returns false, which openapi.yaml does not declare for getThing; declare 403 there, or replace the guard by an interceptor that throws a declared error.';

describe('a guard of an operation that declares no 403', () => {
  it.each<[string, Type, string]>([
    ['of the controller', things([UseGuards(OwnersGuard)]), 'the guard OwnersGuard'],
    ['of the handler', things([], [UseGuards(OwnersGuard)]), 'the guard OwnersGuard'],
    ['of the handler, as an instance', things([], [UseGuards(new OwnersGuard())]), 'the guard OwnersGuard'],
    ['of the handler, without a class', things([], [UseGuards({ canActivate: () => true })]), 'a guard'],
    ['for each request', things([], [UseGuards(RequestOwnersGuard)]), 'the guard RequestOwnersGuard'],
    [
      'beside a filter for other errors',
      things([UseFilters(MissingFilter)], [UseGuards(OwnersGuard)]),
      'the guard OwnersGuard',
    ],
    [
      'beside a filter that passes on to the service',
      things([UseFilters(PassingFilter)], [UseGuards(OwnersGuard)]),
      'the guard OwnersGuard',
    ],
    [
      'beside a filter that logs, and passes on to the service',
      things([], [UseGuards(OwnersGuard), UseFilters(LoggingFilter)]),
      'the guard OwnersGuard',
    ],
    [
      'beside a filter that hides one that may answer',
      things(
        [UseFilters(new LoggingFilter())],
        [UseGuards(OwnersGuard)],
        [{ provide: APP_FILTER, useClass: AllFilter }],
      ),
      'the guard OwnersGuard',
    ],
  ])('stops the start: %s', async (_, feature, guard) => {
    expect(await startRefusal(start(feature))).toBe(`FILE:1:1 Things.get runs behind ${guard}, ${NO_403}`);
  });

  it.each<[string, Provider[], string]>([
    ['one for all requests', [{ provide: APP_GUARD, useClass: OwnersGuard }], 'the guard OwnersGuard'],
    ['one for each request', [{ provide: APP_GUARD, useClass: RequestOwnersGuard }], 'the guard RequestOwnersGuard'],
    [
      'one that a factory makes for each request',
      [{ provide: APP_GUARD, useFactory: () => new OwnersGuard(), scope: Scope.REQUEST }],
      'a guard',
    ],
    ['an existing one', [OwnersGuard, { provide: APP_GUARD, useExisting: OwnersGuard }], 'the guard OwnersGuard'],
  ])('stops the start with the module that provides it for all features: %s', async (_, providers, guard) => {
    @Module({ providers })
    class OwnersModule {}
    const feature = things([]);
    @Module({ imports: [feature, OwnersModule] })
    class ImportingModule {}
    const contract = baseContract('3.0.3');
    delete getOf(contract).responses[403];
    const options = { contractFile: writeContract(contract), features: [feature, ImportingModule] };
    expect(await startRefusal(startApp({}, options))).toBe(`OwnersModule provides ${guard} as APP_GUARD, ${NO_403}`);
  });

  it('stops the start with file and line of the controller or module, here with names that the sources have', async () => {
    @Controller('things')
    @UseGuards(OwnersGuard)
    class PetsController extends BothHandlers {}
    @Controller('things')
    class Unguarded extends BothHandlers {}
    @Module({ controllers: [PetsController] })
    class GuardedModule {}
    @Module({ controllers: [Unguarded], providers: [{ provide: APP_GUARD, useClass: OwnersGuard }] })
    class PetsModule {}
    expect(await startRefusal(start(GuardedModule))).toMatch(
      /^FILE:1:1 PetsController.get \(src\/pets\/pets\.controller\.ts:\d+\) runs behind the guard OwnersGuard, /,
    );
    expect(await startRefusal(start(PetsModule))).toMatch(
      /^src\/pets\/pets\.module\.ts:\d+ PetsModule provides the guard OwnersGuard as APP_GUARD, /,
    );
  });

  it('stops no start of a controller that shares the method without the guard', async () => {
    @Controller('things')
    class Things extends BothHandlers {}
    @Controller('owned')
    @UseGuards(OwnersGuard)
    class Owned extends BothHandlers {}
    @Module({ controllers: [Owned, Things] })
    class SharingModule {}
    const { api } = await start(SharingModule, (contract) => {
      const owned = (path: string, id: string) => {
        const item = structuredClone(contract.paths[path]);
        for (const operation of Object.values<Part>(item)) {
          operation.operationId = id;
          operation.responses[403] = operation.responses[401];
        }
        return item;
      };
      contract.paths['/owned'] = owned('/things', 'addOwned');
      contract.paths['/owned/{thingId}'] = owned('/things/{thingId}', 'getOwned');
    });
    expect(await api.get('/v1/things/1')).toMatchObject({ status: 200 });
    expect(await api.get('/v1/owned/1')).toMatchObject({ status: 403 });
  });

  it.each<[string, Type]>([
    ['of the controller', things([UseFilters(ExceptionsFilter)], [UseGuards(OwnersGuard)])],
    ['of the handler', things([], [UseGuards(OwnersGuard), UseFilters(new AllFilter())])],
    ['that extends BaseExceptionFilter', things([UseFilters(AnsweringFilter)], [UseGuards(OwnersGuard)])],
    ['that answers some errors', things([UseFilters(ChoosingFilter)], [UseGuards(OwnersGuard)])],
    ['that replaces the error', things([UseFilters(ReplacingFilter)], [UseGuards(OwnersGuard)])],
    ['that extends another one', things([UseFilters(DerivedFilter)], [UseGuards(OwnersGuard)])],
    ['of all features', things([], [UseGuards(OwnersGuard)], [{ provide: APP_FILTER, useClass: AllFilter }])],
  ])('stops no start beside a filter %s that may answer instead', async (_, feature) => {
    const { api } = await start(feature);
    expect(outcome(await api.get('/v1/things/1'))).toEqual({ status: 404, body: NO_SUCH_THING });
  });
});

it('a guard that returns false answers with the declared 403', async () => {
  const { api } = await start(things([], [UseGuards(OwnersGuard)]), (contract) => {
    getOf(contract).responses[403] = getOf(contract).responses[401];
  });
  expect(await api.get('/v1/things/1')).toMatchObject({ status: 403 });
});

it('a guard of all features that returns false also takes the service out of its load balancer', async () => {
  const { api } = await start(things([], [], [{ provide: APP_GUARD, useClass: OwnersGuard }]), (contract) => {
    getOf(contract).responses[403] = getOf(contract).responses[401];
    postOf(contract).responses[403] = postOf(contract).responses[401];
  });
  const refused = { code: 'FORBIDDEN', message: 'Forbidden resource', status: 403 };
  for (const path of ['/live', '/ready', '/docs']) {
    expect(outcome(await api.get(path))).toEqual({ status: 403, body: refused });
  }
});
