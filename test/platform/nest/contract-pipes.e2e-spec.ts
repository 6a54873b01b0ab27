import { describe, expect, it } from '@jest/globals';
import {
  Body,
  type CanActivate,
  ConflictException,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  HostParam,
  Injectable,
  Module,
  Param,
  ParseArrayPipe,
  ParseIntPipe,
  Post,
  Query,
  RawBody,
  Scope,
  Session,
  SignedCookies,
  StandardSchemaValidationPipe,
  type Type,
  UploadedFile,
  UploadedFiles,
  UseGuards,
  UsePipes,
  ValidationPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { APP_GUARD, APP_PIPE } from '@nestjs/core';
import { Type as TypeOf } from 'class-transformer';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnumField } from '../../../src/platform/validation/fields.js';
import { type StartedApp, startApp, type StartOptions, startRefusal } from '../../support/start-app.js';
import { collectErrors } from './toys/log.js';
import { baseContract, getOf, json, type Part, postOf } from '../constructs/base-contract.js';

const TEXT = { type: 'string' };
const SEEN = json({ type: 'object', properties: { seen: TEXT } });
const file = join(mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'pipes-')), 'openapi.yaml');

/** Both operations, with the changes of `edit`. */
function start(
  module: Type<object>,
  edit: (contract: Part) => void,
  prepare?: StartOptions['prepare'],
): Promise<StartedApp> {
  const contract = baseContract('3.0.3');
  postOf(contract).responses[201].content = SEEN;
  getOf(contract).responses[200].content = SEEN;
  edit(contract);
  writeFileSync(file, JSON.stringify(contract));
  return startApp({}, { contractFile: file, features: [module], prepare });
}

const refusalOf = (module: Type<object>, edit: (contract: Part) => void) => startRefusal(start(module, edit));

function moduleOf(controller: Type<object>, ...providers: object[]): Type<object> {
  @Module({ controllers: [controller], providers: providers as [] })
  class PipesModule {}
  return PipesModule;
}

const withBody = (schema: object) => (contract: Part) => {
  postOf(contract).requestBody = { required: true, content: json(schema) };
  delete contract.paths['/things/{thingId}'];
};

class Item {
  @IsString()
  name: string;

  @IsOptional()
  @TypeOf(() => Number)
  n?: number;
}

class Named {
  @IsString()
  name: string;
}

class Rexes {
  @IsIn(['Rex'])
  name: string;
}

@Injectable()
class ConvertingPipe extends ValidationPipe {
  constructor() {
    super({ transform: true });
  }
}

@Injectable({ scope: Scope.REQUEST })
class RequestPipe extends ConvertingPipe {}

/** A controller whose handler takes a body through this pipe. */
function takingBody(pipe: object | undefined, type: unknown, ...decorators: ClassDecorator[]): Type<object> {
  @Controller('things')
  class Things {
    @Post()
    add(body: { name: string }): object {
      return { seen: JSON.stringify(body) };
    }
  }
  Body(...((pipe ? [pipe] : []) as []))(Things.prototype, 'add', 0);
  Reflect.defineMetadata('design:paramtypes', [type], Things.prototype, 'add');
  for (const decorate of decorators) decorate(Things);
  return Things;
}

/** The refusal of a pipe of a module, instead of a handler that it runs for. */
const ofModule = (refusal: string) =>
  refusal
    .replace('FILE:1:1 Things.add has', 'PipesModule provides as APP_PIPE')
    .replace('this operation has read', 'an operation has read');

const IMPLICIT = { transform: true, transformOptions: { enableImplicitConversion: true } };

describe('a ValidationPipe that converts what the contract has read', () => {
  const CONVERTING =
    'FILE:1:1 Things.add has a ValidationPipe that converts what this operation has read; remove the pipe, because every DTO is validated, or its options "transform", "whitelist" and the like.';
  const edit = withBody({ type: 'object', required: ['name'], properties: { name: TEXT } });
  const controllers: Type<object> = takingBody(undefined, Named, UsePipes(new ValidationPipe({ whitelist: true })));

  it.each<[string, Type<object>]>([
    ['of a parameter', moduleOf(takingBody(new ValidationPipe(IMPLICIT), Named))],
    ['of a parameter, as a class', moduleOf(takingBody(ConvertingPipe, Named))],
    ['of a controller', moduleOf(controllers)],
  ])('stops the start: %s', async (_, module) => {
    expect(await refusalOf(module, edit)).toBe(CONVERTING);
  });

  it('stops the start with the module that provides it for all features', async () => {
    const module = moduleOf(takingBody(undefined, Named), { provide: APP_PIPE, useClass: ConvertingPipe });
    expect(await refusalOf(module, edit)).toBe(ofModule(CONVERTING));
    // The name of one in the sources.
    Object.defineProperty(module, 'name', { value: 'PetsModule' });
    expect(await refusalOf(module, edit)).toMatch(
      /^src\/pets\/pets\.module\.ts:\d+ PetsModule provides as APP_PIPE a ValidationPipe that converts /,
    );
  });

  it.each<[string, Type<object>]>([
    ['of a parameter', moduleOf(takingBody(RequestPipe, Named))],
    ['of a feature', moduleOf(takingBody(undefined, Named), { provide: APP_PIPE, useClass: RequestPipe })],
  ])(
    'stops the start where it is made for each request, so that its options are not known: %s',
    async (place, module) => {
      const refusal =
        'FILE:1:1 Things.add has a request-scoped ValidationPipe, whose options are not known at start; remove the pipe, because every DTO is validated, or use one pipe for all requests.';
      expect(await refusalOf(module, edit)).toBe(place === 'of a feature' ? ofModule(refusal) : refusal);
    },
  );

  it.each<[string, object[]]>([
    ['useFactory', [{ provide: APP_PIPE, scope: Scope.REQUEST, useFactory: () => new ConvertingPipe() }]],
    ['useExisting', [RequestPipe, { provide: APP_PIPE, useExisting: RequestPipe }]],
  ])('stops the start where nothing is known of it, because %s makes it for each request', async (_, providers) => {
    expect(await refusalOf(moduleOf(takingBody(undefined, Named), ...providers), edit)).toBe(
      'PipesModule provides as APP_PIPE a pipe that a factory makes for each request, so that nothing is known of it at start; name its class with "useClass", or make one pipe for all requests.',
    );
  });

  it.each([['first'], ['last']])('stops the start: of a controller that shares its method, %s', async (place) => {
    abstract class Shared {
      @Post()
      add(@Body() body: Named): object {
        return { seen: JSON.stringify(body) };
      }
    }
    @Controller('things')
    @UsePipes(new ValidationPipe({ whitelist: true }))
    class Things extends Shared {}
    @Controller('others')
    class Others extends Shared {}
    @Module({ controllers: place === 'first' ? [Things, Others] : [Others, Things] })
    class SharedModule {}
    const refusal = await refusalOf(SharedModule, (contract) => {
      edit(contract);
      contract.paths['/others'] = { post: { ...postOf(contract), operationId: 'addOther' } };
    });
    expect(refusal).toContain('has a ValidationPipe that converts what this operation has read');
  });

  it('does not stop the start when it only validates', async () => {
    const { api } = await start(moduleOf(takingBody(new ValidationPipe(), Named)), edit);
    expect((await api.post('/v1/things', { name: 'Rex' })).json).toEqual({ seen: '{"name":"Rex"}' });
  });
});

/** The error of an application. */
const refuse = () => new ConflictException();

describe('a ValidationPipe with an error of its own', () => {
  const edit = withBody({ type: 'object', required: ['name'], properties: { name: TEXT } });
  const Caller = createParamDecorator(() => ({}));

  it.each<[string, ValidationPipeOptions]>([
    ['errorHttpStatusCode', { errorHttpStatusCode: 422 }],
    ['exceptionFactory', { exceptionFactory: refuse }],
    ['disableErrorMessages', { disableErrorMessages: true }],
    ['errorFormat', { errorFormat: 'grouped' }],
    ['maxErrorMessagesLength', { maxErrorMessagesLength: 100 }],
  ])('stops the start, because %s never acts', async (option, options) => {
    const pipe = new ValidationPipe(options);
    const refusal = `FILE:1:1 Things.add has a ValidationPipe whose option "${option}" never acts, because every DTO is validated before and refused with 400; remove the option, or the pipe.`;
    const module = moduleOf(takingBody(undefined, Named), { provide: APP_PIPE, useValue: pipe });
    expect(await refusalOf(module, edit)).toBe(ofModule(refusal));
    for (const controller of [takingBody(pipe, Named), takingBody(undefined, Named, UsePipes(pipe))])
      expect(await refusalOf(moduleOf(controller), edit)).toBe(refusal);
  });

  it('starts where it validates what the platform does not', async () => {
    @Controller('things')
    class Things {
      @Post()
      add(
        @Caller(new ValidationPipe({ validateCustomDecorators: true, exceptionFactory: refuse })) caller: Named,
      ): object {
        return { seen: JSON.stringify(caller) };
      }
    }
    const declare409 = (contract: Part) => {
      edit(contract);
      postOf(contract).responses[409] = postOf(contract).responses[400];
    };
    const ofCaller = await start(moduleOf(Things), declare409);
    expect((await ofCaller.api.post('/v1/things', { name: 'Rex' })).status).toBe(409);
    const expecting = new ValidationPipe({ expectedType: Rexes, exceptionFactory: refuse });
    const ofType = await start(moduleOf(takingBody(expecting, Object)), declare409);
    expect((await ofType.api.post('/v1/things', { name: 'Rex' })).status).toBe(201);
    expect((await ofType.api.post('/v1/things', { name: 'Ann' })).status).toBe(409);
  });
});

/** A schema that changes what it accepts, as one of zod may. */
const EMPTYING = {
  '~standard': {
    version: 1 as const,
    vendor: 'test',
    validate: (value: unknown) =>
      (value as { name: string }).name === 'bad' ? { issues: [{ message: 'The name is bad' }] } : { value: {} },
  },
};

const SchemaPipe = StandardSchemaValidationPipe;

@Injectable({ scope: Scope.REQUEST })
class RequestSchemaPipe extends SchemaPipe {
  constructor() {
    super({ transform: false });
  }
}

describe('the schema of a parameter', () => {
  const edit = withBody({ type: 'object', required: ['name'], properties: { name: TEXT } });
  const UNREAD =
    'FILE:1:1 Things.add gives a parameter a schema that no pipe reads; add a StandardSchemaValidationPipe with "transform: false", or remove the schema.';
  const CONVERTS =
    'FILE:1:1 Things.add has a StandardSchemaValidationPipe that converts what this operation has read; give one pipe for all requests "transform: false", or remove the schema of the parameter.';
  const withSchema = (...pipes: object[]) => takingBody({ schema: EMPTYING, pipes }, Object);
  const Caller = createParamDecorator(() => ({ name: 'Ann' }));

  /** The value of a custom decorator is not that of the contract. */
  function withCustomSchema(options: object): Type<object> {
    @Controller('things')
    class Things {
      @Post()
      add(@Caller({ schema: EMPTYING, pipes: [new SchemaPipe(options)] }) caller: object): object {
        return { seen: JSON.stringify(caller) };
      }
    }
    return moduleOf(Things);
  }

  it.each<[string, Type<object>, string]>([
    ['without a pipe', moduleOf(withSchema()), UNREAD],
    ['with a pipe that does not read it', moduleOf(withSchema(new ValidationPipe())), UNREAD],
    ['with a pipe that converts', moduleOf(withSchema(new SchemaPipe())), CONVERTS],
    ['with the class of a pipe', moduleOf(withSchema(SchemaPipe)), CONVERTS],
    ['with a pipe of a feature', moduleOf(withSchema(), { provide: APP_PIPE, useClass: SchemaPipe }), CONVERTS],
    ['with a pipe of each request', moduleOf(withSchema(RequestSchemaPipe)), CONVERTS],
    [
      'of a custom decorator that its pipe passes',
      withCustomSchema({}),
      UNREAD.replace('transform: false', 'validateCustomDecorators: true'),
    ],
  ])('stops the start: %s', async (_, module, reason) => {
    expect(await refusalOf(module, edit)).toBe(reason);
  });

  it('does not stop the start where its pipe only validates', async () => {
    const { api } = await start(moduleOf(withSchema(new SchemaPipe({ transform: false }))), edit);
    expect((await api.post('/v1/things', { name: 'Rex' })).json).toEqual({ seen: '{"name":"Rex"}' });
    expect(await api.post('/v1/things', { name: 'bad' })).toMatchObject({
      status: 400,
      json: { message: 'The name is bad' },
    });
  });

  it('may convert the value of a custom decorator', async () => {
    const { api } = await start(withCustomSchema({ validateCustomDecorators: true }), edit);
    expect((await api.post('/v1/things', { name: 'Rex' })).json).toEqual({ seen: '{}' });
  });
});

describe('the items of a ParseArrayPipe', () => {
  const listOf = (properties: object) =>
    withBody({ type: 'array', items: { type: 'object', required: ['name'], properties } });
  const items = (options: object) => moduleOf(takingBody(new ParseArrayPipe({ items: Item, ...options }), Array));

  it.each<[string, Type<object>, object, string]>([
    [
      'a member is missing',
      items({ whitelist: true }),
      { name: TEXT, n: { type: 'integer', format: 'int32' }, extra: TEXT },
      'extra is declared here, but Item has no rule for it; give the member one there, such as @Allow(), or remove it here.',
    ],
    [
      'an integer would be rounded',
      items({}),
      { name: TEXT, n: { type: 'integer', format: 'int64' } },
      'n may be beyond 2^53 here, but Item makes it a number, which loses digits; take it with a pipe or a field that keeps them, or limit it here.',
    ],
    [
      'they are converted by their types',
      items({ transformOptions: { enableImplicitConversion: true } }),
      { name: TEXT },
      'Things.add has a ParseArrayPipe that converts what this operation has read; let it have no "transformOptions", and give it to the parameter whose items it makes.',
    ],
  ])('are compared with the contract: %s', async (_, module, properties, reason) => {
    expect(await refusalOf(module, listOf(properties))).toBe(`FILE:1:1 ${reason}`);
  });

  it('are not rounded in a query', async () => {
    @Controller('things')
    class Things {
      @Post()
      add(@Query('ids', new ParseArrayPipe({ items: Number })) ids: number[]): object {
        return { seen: ids.join() };
      }
    }
    const schema = { type: 'array', items: { type: 'integer', format: 'int64' } };
    const refusal = await refusalOf(moduleOf(Things), (contract) => {
      withBody({ type: 'object' })(contract);
      postOf(contract).parameters = [{ name: 'ids', in: 'query', schema }];
    });
    expect(refusal).toContain('ids may be beyond 2^53 here, but Things.add makes it a number');
  });
});

describe('a DTO of a body that is not required', () => {
  it('is undefined when none is sent, although it has required members', async () => {
    const { api } = await start(moduleOf(takingBody(undefined, Named)), (contract) => {
      withBody({ type: 'object', required: ['name'], properties: { name: TEXT } })(contract);
      postOf(contract).requestBody.required = false;
    });
    expect(await api.request('POST', '/v1/things', {})).toMatchObject({ status: 201, json: {} });
    expect((await api.post('/v1/things', { name: 'Rex' })).json).toEqual({ seen: '{"name":"Rex"}' });
    expect((await api.post('/v1/things', {})).status).toBe(400);
  });
});

function taking(decorate: ParameterDecorator): Type<object> {
  @Controller('things')
  class Things {
    @Post()
    add(taken: unknown): object {
      return { seen: typeof taken };
    }
  }
  decorate(Things.prototype, 'add', 0);
  return Things;
}

describe('a handler that takes a body', () => {
  it.each<[string, ParameterDecorator]>([
    ['@RawBody()', RawBody()],
    ['@UploadedFile()', UploadedFile('photo')],
    ['@UploadedFiles()', UploadedFiles()],
  ])('stops the start when it would always be undefined: %s', async (name, decorate) => {
    expect(await refusalOf(moduleOf(taking(decorate)), withBody({ type: 'object' }))).toBe(
      `FILE:1:1 Things.add takes ${name}, which is always undefined because an operation reads its body as JSON only; take the body with @Body(), or remove the parameter.`,
    );
  });

  it('stops the start when it takes a part of the host, which its controller does not name', async () => {
    @Controller('things')
    class Things {
      @Post()
      add(@HostParam('account') account: string): object {
        return { seen: account };
      }
    }
    expect(await refusalOf(moduleOf(Things), withBody({ type: 'object' }))).toBe(
      'FILE:1:1 Things.add takes @HostParam("account"), which is always undefined because its controller names no host; name one in @Controller(), or remove the parameter.',
    );
  });

  const SESSION = 'is always undefined because nothing sets request.session; set it';
  const SIGNED = 'always fails because nothing sets request.signedCookies; take @Cookies() instead, set it';

  it.each<[string, ParameterDecorator, string]>([
    ['@Session()', Session(), SESSION],
    ['@SignedCookies()', SignedCookies(), SIGNED],
    ['@SignedCookies()', SignedCookies('colour'), SIGNED],
  ])('stops the start when it takes what nothing sets: %s', async (name, decorate, words) => {
    expect(await refusalOf(moduleOf(taking(decorate)), withBody({ type: 'object' }))).toBe(
      `FILE:1:1 Things.add takes ${name}, which ${words} in middleware, a guard or an interceptor, or remove the parameter.`,
    );
  });

  @Injectable()
  class SessionGuard implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      context.switchToHttp().getRequest<{ session?: object }>().session = {};
      return true;
    }
  }

  const guarded = () => {
    const controller = taking(Session());
    UseGuards(SessionGuard)(controller);
    return moduleOf(controller);
  };

  it.each<[string, Type, StartOptions['prepare']]>([
    [
      'middleware',
      moduleOf(taking(Session())),
      (app) =>
        void app.use((request: { session?: object }, _: unknown, next: () => void) => {
          request.session = {};
          next();
        }),
    ],
    ['a guard of all features', moduleOf(taking(Session()), { provide: APP_GUARD, useClass: SessionGuard }), undefined],
    ['a guard of the controller', guarded(), undefined],
  ])('stops no start when it takes a session that %s may set', async (_, module, prepare) => {
    const edit = (contract: Part) => {
      withBody({ type: 'object' })(contract);
      postOf(contract).responses[403] = postOf(contract).responses[401];
    };
    const { api } = await start(module, edit, prepare);
    expect(await api.post('/v1/things', {})).toMatchObject({ status: 201, json: { seen: 'object' } });
  });

  it('stops the start where none is declared', async () => {
    const refusal = await refusalOf(moduleOf(takingBody(undefined, Named)), (contract) => {
      delete postOf(contract).requestBody;
      delete contract.paths['/things/{thingId}'];
    });
    expect(refusal).toBe(
      'FILE:1:1 Things.add takes a body, which this operation does not declare; declare it here, or remove the parameter.',
    );
  });
});

enum Colour {
  red = 'red',
  blue = 'blue',
}

class Painted {
  @EnumField(Colour, 'Colour')
  thingId: Colour;
}

class Ruled {
  @IsIn(['red'])
  thingId: string;
}

function takingPath(type: Type<object>, bodyType: unknown = Object): Type<object> {
  @Controller('things')
  class Things {
    @Get(':thingId')
    get(path: Painted): object {
      return { seen: path.thingId };
    }

    @Post()
    add(body: { thingId?: string }): object {
      return { seen: body.thingId };
    }
  }
  Param()(Things.prototype, 'get', 0);
  Reflect.defineMetadata('design:paramtypes', [type], Things.prototype, 'get');
  Body()(Things.prototype, 'add', 0);
  Reflect.defineMetadata('design:paramtypes', [bodyType], Things.prototype, 'add');
  return Things;
}

describe('a rule of the DTO of a path', () => {
  const NOTHING = { code: 'NOT_FOUND', message: 'No resource at /v1/things/green.', status: 404 };

  it.each<[string, Type<object>]>([
    ['of the platform', Painted],
    ['of class-validator', Ruled],
  ])('is answered with 404 as the schema of a path: %s', async (_, type) => {
    const { api } = await start(moduleOf(takingPath(type)), () => {});
    expect(await api.get('/v1/things/red')).toMatchObject({ status: 200, json: { seen: 'red' } });
    expect(await api.get('/v1/things/green')).toMatchObject({ status: 404, json: NOTHING });
  });

  it('is answered with 400 where no 404 is declared', async () => {
    const { api } = await start(moduleOf(takingPath(Ruled)), (contract) => {
      const { responses } = getOf(contract);
      responses[400] = responses[404];
      delete responses[404];
    });
    expect(await api.get('/v1/things/green')).toMatchObject({
      status: 400,
      json: { message: 'thingId must be one of the following values: red' },
    });
  });

  it('stops the start where neither is declared', async () => {
    const refusal = await refusalOf(moduleOf(takingPath(Ruled)), (contract) => delete getOf(contract).responses[404]);
    expect(refusal).toBe(
      'FILE:1:1 Things.get takes the path as Ruled, whose rules a path can break; declare 404, or 400, here.',
    );
  });

  it('is checked although the contract has checked the same DTO of a body', async () => {
    const { api } = await start(moduleOf(takingPath(Painted, Painted)), (contract) => {
      const thingId = { ...TEXT, enum: ['red', 'blue'] };
      postOf(contract).requestBody = {
        required: true,
        content: json({ type: 'object', required: ['thingId'], properties: { thingId } }),
      };
    });
    expect((await api.post('/v1/things', { thingId: 'red' })).json).toEqual({ seen: 'red' });
    expect((await api.get('/v1/things/green')).status).toBe(404);
  });
});

describe('a handler that takes a parameter of the path', () => {
  it('stops the start when the path has no such parameter', async () => {
    @Controller('things')
    class Things {
      @Post()
      add(): object {
        return {};
      }

      @Get(':thingId')
      get(@Param('id') id: string): object {
        return { seen: id };
      }
    }
    expect(await refusalOf(moduleOf(Things), () => {})).toBe(
      'FILE:1:1 Things.get takes the path parameter "id", but /v1/things/{thingId} has "thingId" instead; give it that name.',
    );
  });
});

describe('a path that breaks its schema and that a pipe of Nest refuses', () => {
  @Controller('things')
  class Things {
    @Get(':thingId')
    get(@Param('thingId', ParseIntPipe) thingId: number): object {
      return { seen: String(thingId) };
    }

    @Post()
    add(): object {
      return {};
    }
  }

  async function answerTo(target: string, edit: (contract: Part) => void) {
    const { app, api } = await start(moduleOf(Things), (contract) => {
      getOf(contract).parameters[0].schema = { type: 'integer', format: 'int32' };
      edit(contract);
    });
    const errors = collectErrors(app);
    const { status, json: body } = await api.get(target);
    return { status, message: (body as { message?: string }).message, errors };
  }

  it('is answered with 404 where the status of the pipe is not declared', async () => {
    expect(await answerTo('/v1/things/abc', () => {})).toEqual({
      status: 404,
      message: 'No resource at /v1/things/abc.',
      errors: [],
    });
  });

  it('is answered in the words of the pipe where its status is declared', async () => {
    const declare400 = (contract: Part) => (getOf(contract).responses[400] = getOf(contract).responses[404]);
    expect(await answerTo('/v1/things/abc', declare400)).toEqual({
      status: 400,
      message: 'Validation failed (numeric string is expected)',
      errors: [],
    });
  });
});
