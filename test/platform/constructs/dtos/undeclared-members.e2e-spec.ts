import { describe, expect, it } from '@jest/globals';
import {
  Body,
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  Headers,
  Module,
  type NestInterceptor,
  Query,
  Req,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { Exclude, Expose, Transform, Type as TypeOf } from 'class-transformer';
import {
  Allow,
  IsDefined,
  IsEmpty,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import type { Request } from 'express';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnumField, Int64Field, TextField } from '../../../../src/platform/validation/fields.js';
import { writeJson } from '../../../support/contract/exact-json.js';
import { type StartedApp, startApp, startRefusal } from '../../../support/start-app.js';
import { baseContract, getOf, json } from '../base-contract.js';
import { startTaking } from '../taking-body.js';

const TEXT = { type: 'string' };
const OBJECT = { type: 'object', properties: { value: TEXT } };

/** A DTO with a declared member, and one that is not. */
function dto(...decorators: PropertyDecorator[]): Type<object> {
  class Dto {
    value?: string;
    tenant?: unknown;
  }
  for (const decorate of [IsOptional(), IsString()]) decorate(Dto.prototype, 'value');
  for (const decorate of decorators) decorate(Dto.prototype, 'tenant');
  return Dto;
}

function beginning(initial: unknown, ...decorators: PropertyDecorator[]): Type<object> {
  class Dto extends dto(...decorators) {
    tenant = initial;
  }
  return Dto;
}

/** A DTO whose member is an object, a list or a map of this one. */
function containing(type: Type<object>, emitted: Type<unknown>): Type<object> {
  class Outer {
    inner?: unknown;
  }
  Reflect.defineMetadata('design:type', emitted, Outer.prototype, 'inner');
  const decorators = [IsOptional(), ValidateNested({ each: emitted !== Object }), TypeOf(() => type)];
  for (const decorate of decorators) decorate(Outer.prototype, 'inner');
  return Outer;
}

const requiring = dto(IsString());
const outer = (inner: object) => ({ type: 'object', properties: { inner } });

type Taken = readonly [ParameterDecorator, Type<unknown>];

/** A handler with these parameters, which returns the first, and interceptors. */
function handler(parameters: readonly Taken[], ...interceptors: NestInterceptor[]): Type<object> {
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
function startReading(controller: Type<object>, parameters: readonly object[] = []): Promise<StartedApp> {
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
  return startApp({}, { contractFile: file, features: [ReadingModule] });
}

/** An interceptor that adds to each request. */
const adding: NestInterceptor = {
  intercept(context: ExecutionContext, next: CallHandler) {
    Object.assign(context.switchToHttp().getRequest<Request>().query, { tenant: 't' });
    return next.handle();
  },
};

describe('a member of a DTO that the contract does not declare', () => {
  it.each<[string, Type<object>, object, string]>([
    ['demands text', requiring, OBJECT, 'the rule isString'],
    ['demands anything', dto(IsDefined()), OBJECT, 'the rule isDefined'],
    ['demands one of some values', dto(IsIn(['a', 'b'])), OBJECT, 'the rule isIn'],
    [
      'demands what is sent null only',
      dto(
        ValidateIf((_, value) => value !== null),
        IsInt(),
      ),
      OBJECT,
      'the rule isInt',
    ],
    ['is a text of the platform', dto(TextField()), OBJECT, 'the rule text'],
    ['is an int64 of the platform', dto(Int64Field()), OBJECT, 'the rule int64'],
    ['is an enumeration of the platform', dto(EnumField({ A: 'a' }, 'Kind')), OBJECT, 'the rule Kind'],
    [
      'is converted only when it is sent',
      dto(
        Transform(() => 'a'),
        IsString(),
      ),
      OBJECT,
      'the rule isString',
    ],
    ['is exposed, but made by nothing', dto(Expose(), IsString()), OBJECT, 'the rule isString'],
    [
      'is made of nothing',
      dto(
        Expose(),
        Transform(({ value }) => (value as string).trim()),
        IsString(),
      ),
      OBJECT,
      '@Transform()',
    ],
    ['begins with a value that it refuses', beginning('', IsNotEmpty()), OBJECT, 'the rule isNotEmpty'],
    ['is excluded', dto(Exclude(), IsString()), OBJECT, 'the rule isString'],
    ['is in an object', containing(requiring, Object), outer(OBJECT), 'the rule isString'],
    ['is in a list', containing(requiring, Array), outer({ type: 'array', items: OBJECT }), 'the rule isString'],
    [
      'is in a map',
      containing(requiring, Map),
      outer({ type: 'object', additionalProperties: OBJECT }),
      'the rule isString',
    ],
  ])('stops the start: it %s', async (_, type, body, rule) => {
    expect(await startRefusal(startTaking([Body(), type], body))).toBe(
      `FILE:1:1 tenant is not declared here, but ${rule} in Dto refuses requests without it; declare it here, add @IsOptional() or a default there, or remove it there.`,
    );
  });

  it('stops the start: it is of a query', async () => {
    expect(await startRefusal(startReading(handler([[Query(), requiring]])))).toBe(
      'FILE:1:1 tenant is not declared here, but the rule isString in Dto refuses requests without it; declare it here, add @IsOptional() or a default there, or remove it there.',
    );
  });

  class Named {
    @IsString()
    value: string;

    @IsString()
    get tenant(): string {
      return this.value[0]!;
    }
  }

  it.each<[string, Type<object>, string]>([
    ['is optional', dto(IsOptional(), IsString()), '{"value":"a"}'],
    ['has no demand', dto(Allow()), '{"value":"a"}'],
    ['must not be sent', dto(IsEmpty()), '{"value":"a"}'],
    ['is optional, of the platform', dto(TextField({ required: false })), '{"value":"a"}'],
    ['begins with a value', beginning('t', IsString()), '{"value":"a","tenant":"t"}'],
    [
      'is made by @Transform()',
      dto(
        Expose(),
        Transform(() => 't'),
        IsString(),
      ),
      '{"value":"a","tenant":"t"}',
    ],
    [
      'is made of another one',
      dto(
        Expose(),
        Transform(({ obj }) => `of ${(obj as { value: string }).value}`),
        IsString(),
      ),
      '{"value":"a","tenant":"of a"}',
    ],
    [
      'has a condition on another one',
      dto(
        ValidateIf(({ value }: { value: string }) => value === 'b'),
        IsString(),
      ),
      '{"value":"a"}',
    ],
    [
      'has a condition on its value',
      dto(
        ValidateIf((_, value) => value !== undefined),
        IsString(),
      ),
      '{"value":"a"}',
    ],
    ['is an accessor', Named, '{"value":"a"}'],
  ])('starts: it %s', async (_, type, seen) => {
    const { api } = await startTaking([Body(), type], { ...OBJECT, required: ['value'] });
    const sent = JSON.stringify(Object.assign(JSON.parse(seen) as object, { tenant: undefined }));
    expect(await api.post('/v1/things', JSON.parse(sent))).toMatchObject({ status: 201, json: { seen } });
  });

  it('starts: the contract requires it without a schema', async () => {
    const { api } = await startTaking([Body(), requiring], { ...OBJECT, required: ['tenant'] });
    expect((await api.post('/v1/things', { tenant: 't' })).status).toBe(201);
    expect((await api.post('/v1/things', { value: 'a' })).status).toBe(400);
  });

  it('starts: an interceptor adds it to the request', async () => {
    const { api } = await startReading(handler([[Query(), requiring]], adding));
    expect(await api.get('/v1/things/x?value=a')).toMatchObject({ json: { seen: '{"value":"a","tenant":"t"}' } });
  });
});

describe('a parameter of a handler that the contract does not declare', () => {
  const value = (name: string) => ({ name, in: 'header', schema: TEXT });
  const tenant = [value('X-Tenant')];
  const seenOf = (response: { json: unknown }) => (response.json as { seen: string }).seen;

  const refused = (handlerName: string, what: string) =>
    `FILE:1:1 ${handlerName} takes the ${what}, which is not declared here, so that no caller knows of it; declare it here, or give it the name of one that is.`;

  it.each<[string, Taken[], string]>([
    ['a header', [[Headers('x-tennant'), String]], 'header "x-tennant"'],
    [
      'a query parameter beside a DTO',
      [
        [Query(), dto(Allow())],
        [Query('valeu'), String],
      ],
      'query parameter "valeu"',
    ],
    [
      'a query parameter beside the request',
      [
        [Req(), Object],
        [Query('valeu'), String],
      ],
      'query parameter "valeu"',
    ],
    [
      'a query parameter beside the right one',
      [
        [Query('value'), String],
        [Query('valeu'), String],
      ],
      'query parameter "valeu"',
    ],
  ])('stops the start: %s', async (_, parameters, what) => {
    expect(await startRefusal(startReading(handler(parameters), tenant))).toBe(refused('Things.get', what));
  });

  it.each<[string, object]>([
    ['a body', OBJECT],
    ['a body with alternatives', { oneOf: [OBJECT, { type: 'object', properties: { value: TEXT } }] }],
  ])('stops the start: a member of %s', async (_, schema) => {
    const [first, second] = [Body(), Body('valeu')];
    const both: ParameterDecorator = (target, key) => {
      first(target, key, 0);
      second(target, key, 1);
    };
    expect(await startRefusal(startTaking([both, dto(Allow())], schema))).toBe(refused('Things.add', 'member "valeu"'));
  });

  it.each<[string, ParameterDecorator, Record<string, string>, string]>([
    ['is declared in another case', Headers('x-tenant'), { 'X-Tenant': 't' }, '"t"'],
    ['is a usual header', Headers('User-Agent'), { 'User-Agent': 'a' }, '"a"'],
    ['is the header of the key', Headers('authorization'), {}, '"Bearer'],
    ['is a header of a proxy', Headers('x-forwarded-user'), { 'X-Forwarded-User': 'u' }, '"u"'],
  ])('starts: it %s', async (_, decorate, headers, seen) => {
    const { api } = await startReading(handler([[decorate, String]]), tenant);
    expect(seenOf(await api.get('/v1/things/x', { headers }))).toContain(seen);
  });

  it.each<[string, Taken[]]>([
    [
      'a header of some proxy, where it takes those that are declared',
      [
        [Headers('x-user'), String],
        [Headers('x-tenant'), String],
      ],
    ],
    [
      'a header of some proxy, where it may read the others',
      [
        [Headers('x-user'), String],
        [Req(), Object],
      ],
    ],
    [
      'a header of some proxy, where it has all',
      [
        [Headers('x-user'), String],
        [Headers(), Object],
      ],
    ],
  ])('starts: it takes %s', async (_, parameters) => {
    const { api } = await startReading(handler(parameters), tenant);
    expect(seenOf(await api.get('/v1/things/x', { headers: { 'X-User': 'u' } }))).toBe('"u"');
  });

  it.each<[string, object]>([
    ['has any members', { type: 'object', additionalProperties: TEXT }],
    ['declares none', { type: 'object' }],
    [
      'requires it without a schema',
      { type: 'object', properties: { value: { ...TEXT, readOnly: true } }, required: ['valeu'] },
    ],
  ])('starts: the body %s', async (_, body) => {
    const { api } = await startTaking([Body('valeu'), Object], body);
    expect(await api.post('/v1/things', { valeu: 'a' })).toMatchObject({ status: 201, json: { seen: '"a"' } });
  });

  it('starts: an interceptor adds it to the request', async () => {
    const parameters: Taken[] = [
      [Query('tenant'), String],
      [Query('value'), String],
    ];
    const { api } = await startReading(handler(parameters, adding));
    expect(await api.get('/v1/things/x?value=a')).toMatchObject({ json: { seen: '"t"' } });
  });
});
