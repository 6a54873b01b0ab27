import { describe, expect, it } from '@jest/globals';
import { Controller, Get, HttpCode, Module, Post, Redirect, type Type, UseInterceptors } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { type StartedApp, startApp, startRefusal } from '../support/start-app.js';
import { baseContract, getOf, json, type Part, writeContract } from './constructs/base-contract.js';

const OBJECT = json({ type: 'object', additionalProperties: true });
const NULLABLE = json({ type: 'object', nullable: true, additionalProperties: true });
const LIST = json({ type: 'array', items: { type: 'string' } });
const EITHER = json({ oneOf: [{ type: 'object', additionalProperties: true }, { type: 'integer' }] });
const CSV = { 'text/csv': { schema: { type: 'string' } } };

abstract class Things {
  @Post()
  add(): object {
    return {};
  }
}

@Controller('things')
class NumberThings extends Things {
  @Get(':thingId')
  get(): number {
    return 1;
  }
}

@Controller('things')
class BigintThings extends Things {
  @Get(':thingId')
  get(): bigint {
    return 1n;
  }
}

@Controller('things')
class TextThings extends Things {
  @Get(':thingId')
  get(): string {
    return 'a';
  }
}

@Controller('things')
class NullThings extends Things {
  @Get(':thingId')
  get(): string | null {
    return null;
  }
}

@Controller('things')
class BooleanThings extends Things {
  @Get(':thingId')
  get(): boolean {
    return true;
  }
}

@Controller('things')
class DateThings extends Things {
  @Get(':thingId')
  get(): Date {
    return new Date(0);
  }
}

@Controller('things')
class ListThings extends Things {
  @Get(':thingId')
  get(): string[] {
    return [];
  }
}

@Controller('things')
class MapThings extends Things {
  @Get(':thingId')
  get(): Map<string, string> {
    return new Map();
  }
}

@Controller('things')
class StreamThings extends Things {
  @Get(':thingId')
  async *get(): AsyncGenerator<string> {
    await Promise.resolve();
    yield 'a';
  }
}

@Controller('things')
class YieldingThings extends Things {
  @Get(':thingId')
  *get(): Generator<string> {
    yield 'a';
  }
}

class Wrapping {
  intercept(_: unknown, next: { handle: () => Observable<unknown> }): Observable<unknown> {
    return next.handle().pipe(map((value) => ({ value })));
  }
}

@Controller('things')
@UseInterceptors(Wrapping)
class WrappedThings extends NumberThings {
  @Get(':thingId')
  override get(): number {
    return 2;
  }
}

@Controller('things')
class MovedThings extends Things {
  @Get(':thingId')
  @Redirect('/docs', 303)
  get(): number {
    return 1;
  }
}

@Controller('things')
class DroppingThings extends Things {
  @Get(':thingId')
  @HttpCode(204)
  get(): number {
    return 1;
  }
}

function start(controller: Type, edit: (get: Part) => void): Promise<StartedApp> {
  @Module({ controllers: [controller] })
  class ThingsModule {}
  const contract = baseContract('3.0.3');
  edit(getOf(contract));
  return startApp({}, { contractFile: writeContract(contract), features: [ThingsModule] });
}

const returning = (content?: object) => (get: Part) => {
  if (content) get.responses[200].content = content;
  else delete get.responses[200].content;
};

describe('the type that a handler declares to return', () => {
  it.each<[string, Type, string, object | undefined]>([
    ['a number for an object', NumberThings, 'a number', OBJECT],
    ['a number for text', NumberThings, 'a number', CSV],
    ['a number for no body', NumberThings, 'a number', undefined],
    ['a boolean for a list', BooleanThings, 'a boolean', LIST],
    ['a number for an object that may be null', NumberThings, 'a number', NULLABLE],
    ['a bigint for an object', BigintThings, 'a bigint', OBJECT],
    ['a text for an object', TextThings, 'a text', OBJECT],
    ['a Date for an object', DateThings, 'a Date', OBJECT],
    ['a list for an object', ListThings, 'a list', OBJECT],
    ['a Map for an object', MapThings, 'a Map or Set', OBJECT],
    ['a stream for an object', StreamThings, 'a stream', OBJECT],
    ['a synchronous generator for text', YieldingThings, 'a synchronous generator', CSV],
    ['a stream for a list', StreamThings, 'a stream', LIST],
  ])('stops the start when it fits no declared success: %s', async (_, controller, what, content) => {
    expect(await startRefusal(start(controller, returning(content)))).toBe(
      `FILE:1:1 ${controller.name}.get returns ${what}, which fits no success that openapi.yaml declares for getThing, so that each call would fail with 500; return what is declared there, or convert it in an interceptor.`,
    );
  });

  it.each<[string, Type, number, unknown, (get: Part) => void]>([
    ['one of the alternatives', NumberThings, 200, 1, returning(EITHER)],
    ['null beside text', NullThings, 200, null, returning(NULLABLE)],
    ['a bigint for a number', BigintThings, 200, 1, returning(json({ type: 'number' }))],
    ['a Date for text', DateThings, 200, '1970-01-01T00:00:00.000Z', returning(json({ type: 'string' }))],
    ['a list', ListThings, 200, [], returning(LIST)],
    ['what an interceptor converts', WrappedThings, 200, { value: 2 }, returning(OBJECT)],
  ])('stops no start where it may fit: %s', async (_, controller, status, body, edit) => {
    const { api } = await start(controller, edit);
    const response = await api.get('/v1/things/1');
    expect([response.status, response.json]).toEqual([status, body]);
  });

  it('stops no start of a stream of text, a redirection, or a value that 204 drops', async () => {
    const { api } = await start(StreamThings, returning(CSV));
    expect(await api.get('/v1/things/1')).toMatchObject({ status: 200, text: 'a' });
    const moved = await start(MovedThings, (get) => {
      get.responses[303] = { description: 'Moved.', headers: { Location: { schema: { type: 'string' } } } };
    });
    expect(await moved.api.get('/v1/things/1')).toMatchObject({ status: 303 });
    const dropping = await start(DroppingThings, (get) => {
      get.responses = { 204: { description: 'Done.' }, ...get.responses };
      delete get.responses[200];
    });
    expect(await dropping.api.get('/v1/things/1')).toMatchObject({ status: 204 });
  });
});
