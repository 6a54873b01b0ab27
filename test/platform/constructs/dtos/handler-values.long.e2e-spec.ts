import { describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  Body,
  Cookies,
  Controller,
  DefaultValuePipe,
  Get,
  Headers,
  Module,
  Param,
  Post,
  ParseBoolPipe,
  ParseDatePipe,
  ParseFloatPipe,
  ParseIntPipe,
  type PipeTransform,
  Query,
  SignedCookies,
  type Type,
} from '@nestjs/common';
import { Expose, Transform, Type as TypeOf } from 'class-transformer';
import { Allow, IsInt, IsOptional, IsString } from 'class-validator';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Int64Field, IntegerParameter } from '../../../../src/platform/validation/fields.js';
import { writeJson } from '../../../support/contract/exact-json.js';
import { type StartedApp, startApp, startRefusal } from '../../../support/start-app.js';
import { baseContract, getOf, json, type Part, postOf } from '../base-contract.js';

const file = join(mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'values-')), 'openapi.yaml');

const TEXT = { type: 'string' };

type Edit = (contract: Part) => void;

function start(controller: Type<object>, edit: Edit): Promise<StartedApp> {
  @Module({ controllers: [controller] })
  class ValuesModule {}
  const contract = baseContract('3.0.3');
  edit(contract);
  writeFileSync(file, writeJson(contract));
  return startApp({}, { contractFile: file, features: [ValuesModule] });
}

/** The message of a start that is refused, without the name of the file and the numbers of line and column. */
const refusalOf = (controller: Type<object>, edit: Edit) => startRefusal(start(controller, edit));

/** An operation `GET /things/{thingId}` with one parameter more. */
const parameter =
  (place: 'query' | 'header' | 'cookie', name: string, schema: object): Edit =>
  (contract) => {
    const get = getOf(contract);
    get.parameters.push({ name, in: place, schema });
    get.responses[400] = get.responses[404];
    get.responses[200].content = json({ type: 'object', properties: { seen: TEXT } });
    contract.paths = { '/things/{thingId}': { get } };
  };
const query = (schema: object) => parameter('query', 'value', schema);
const header = (schema: object) => parameter('header', 'X-Value', schema);
const path =
  (schema: object): Edit =>
  (contract) => {
    const get = getOf(contract);
    get.parameters[0].schema = schema;
    get.responses[200].content = json({ type: 'object', properties: { seen: TEXT } });
    contract.paths = { '/things/{thingId}': { get } };
  };
/** An operation `POST /things` with one member. */
const body =
  (value: object, more: object = {}): Edit =>
  (contract) => {
    const post = postOf(contract);
    post.requestBody = { required: true, content: json({ type: 'object', properties: { value }, ...more }) };
    post.responses[201].content = json({ type: 'object', properties: { seen: TEXT } });
    contract.paths = { '/things': { post } };
  };

const shown = (value: unknown) => ({ seen: `${typeof value} ${String(value)}` });

/** A handler with one parameter. */
function taking(decorator: ParameterDecorator, type: unknown, route = Get(':thingId')): Type<object> {
  @Controller('things')
  class Things {
    get(value: unknown): object {
      return shown(value !== null && typeof value === 'object' && 'value' in value ? value.value : value);
    }
  }
  route(Things.prototype, 'get', Object.getOwnPropertyDescriptor(Things.prototype, 'get')!);
  decorator(Things.prototype, 'get', 0);
  Reflect.defineMetadata('design:paramtypes', [type], Things.prototype, 'get');
  return Things;
}

/** A DTO with one optional member. */
function dto(type: unknown, ...decorators: PropertyDecorator[]): Type<object> {
  class Dto {
    value?: unknown;
  }
  Reflect.defineMetadata('design:type', type, Dto.prototype, 'value');
  for (const decorate of [Allow(), ...decorators]) decorate(Dto.prototype, 'value');
  return Dto;
}

const AS_TEXT = dto(
  String,
  TypeOf(() => String),
);
const BOOLEAN = { type: 'boolean' };
const INT32 = { type: 'integer', format: 'int32' };
const INT64 = { type: 'integer', format: 'int64' };
const NUMBER = { type: 'number' };
const LIST = { type: 'array', items: TEXT };
const RANGE = { ...INT32, minimum: 100, maximum: 101 };
const SIZES = { type: 'array', items: { ...TEXT, enum: ['small', 'large'] } };
const OBJECT = { type: 'object', properties: { a: TEXT } };
const GIVE = 'give it the type that it has, or convert it with a pipe, @Transform() or a field of the platform.';

describe('a parameter with a type that its values do not have', () => {
  it.each<[string, ParameterDecorator, unknown, Edit, string]>([
    ['a boolean as text', Query('value'), String, query(BOOLEAN), 'of the type boolean'],
    ['an integer as text', Query('value'), String, query(INT32), 'of the type integer'],
    ['a list as text', Query('value'), String, query(LIST), 'of the type array'],
    ['text as a number', Query('value'), Number, query(TEXT), 'of the type string'],
    ['a boolean as a number', Query('value'), Number, query(BOOLEAN), 'of the type boolean'],
    ['text as a boolean', Query('value'), Boolean, query(TEXT), 'of the type string'],
    ['a number as a boolean', Query('value'), Boolean, query(NUMBER), 'of the type number'],
    ['text as a list', Query('value'), Array, query(TEXT), 'of the type string'],
    ['an int64 as a bigint', Query('value'), BigInt, query(INT64), 'of the type integer'],
    ['text as a date', Query('value'), Date, query({ type: 'string', format: 'date-time' }), 'of the type string'],
    ['a cookie as a number', Cookies('value'), Number, parameter('cookie', 'value', INT32), 'text'],
    ['the text of a path as a number', Param('thingId'), Number, path(TEXT), 'text'],
    ['the text of a path as a bigint', Param('thingId'), BigInt, path(INT64), 'of the type integer'],
    ['text as a Map', Query('value'), Map, query(TEXT), 'of the type string'],
    ['text as a DTO', Query('value'), dto(String), query(TEXT), 'of the type string'],
    ['text as a class with methods', Query('value'), URL, query(TEXT), 'of the type string'],
    ['a cookie as a DTO', Cookies('value'), dto(String), parameter('cookie', 'value', TEXT), 'text'],
  ])('stops the start: %s', async (_, decorator, type, edit, given) => {
    const { name } = type as Type<object>;
    const message = await refusalOf(taking(decorator, type), edit);
    expect(message.replace(/ (value|thingId) /, ' it ')).toBe(
      `FILE:1:1 it is ${given} here, but Things.get takes it as ${name}; ${GIVE}`,
    );
  });

  it.each<[string, ParameterDecorator, unknown, Edit]>([
    ['as a boolean', Headers('X-Value'), Boolean, header(BOOLEAN)],
    ['as a number', Headers('x-value'), Number, header({ ...INT32 })],
    ['as a number that may be beyond 2^53', Headers('x-value'), Number, header(INT64)],
    ['as a list', Headers('x-value'), Array, header(TEXT)],
    ['as a DTO', Headers('x-value'), dto(String), header(TEXT)],
    ['that is not declared as a number', Headers('x-other'), Number, header(TEXT)],
  ])('stops the start: a header %s, and says what works', async (_, decorator, type, edit) => {
    const { name } = type as Type<object>;
    expect((await refusalOf(taking(decorator, type), edit)).replace(/ x-(value|other) /i, ' it ')).toBe(
      `FILE:1:1 it is text here, but Things.get takes it as ${name}; take it as a string, and convert it in the handler, because Nest runs no pipes for headers.`,
    );
  });

  it.each<[string, ParameterDecorator, unknown, Edit]>([
    ['of a cookie as a number', Cookies('value', ParseIntPipe), Number, parameter('cookie', 'value', INT64)],
    ['of a cookie as anything', Cookies('value', ParseIntPipe), Object, parameter('cookie', 'value', INT64)],
    ['of a query as anything', Query('value', ParseIntPipe), Object, query(INT64)],
    ['of a query as anything', Query('value', new ParseFloatPipe()), Object, query(INT64)],
    ['of a query as a bigint', Query('value', ParseIntPipe), BigInt, query(INT64)],
    ['of a path as anything', Param('thingId', ParseIntPipe), Object, path(INT64)],
  ])('stops the start: an int64 %s, which a pipe of Nest would round', async (_, decorator, type, edit) => {
    expect((await refusalOf(taking(decorator, type), edit)).replace('thingId', 'value')).toBe(
      'FILE:1:1 value may be beyond 2^53 here, but Things.get makes it a number, which loses digits; take it with a pipe or a field that keeps them, or limit it here.',
    );
  });

  it.each<[string, ParameterDecorator, Edit, string]>([
    ['headers', Headers(), header(TEXT), 'headers'],
    ['cookies', Cookies(), parameter('cookie', 'value', TEXT), 'cookies'],
    ['signed cookies', SignedCookies(), parameter('cookie', 'value', TEXT), 'cookies'],
  ])('stops the start: %s with rules, which would not run', async (_, decorator, edit, place) => {
    expect(await refusalOf(taking(decorator, dto(String, IsString())), edit)).toBe(
      `FILE:1:1 Things.get takes the ${place} as Dto, whose rules would not run; take each with a parameter of its own.`,
    );
  });

  it.each<[string, ParameterDecorator, unknown, Edit, string, string]>([
    ['a boolean', Query('value'), Boolean, query(BOOLEAN), 'x?value=false', 'boolean false'],
    ['a number', Query('value'), Number, query(NUMBER), 'x?value=1.5', 'number 1.5'],
    [
      'a pipe',
      Query('value', new ParseBoolPipe({ optional: true })),
      Boolean,
      query({ ...TEXT, enum: ['true'] }),
      'x?value=true',
      'boolean true',
    ],
    ['a list', Query('value'), Array, query(LIST), 'x?value=a&value=b', 'object a,b'],
    ['a number in a path, which Nest converts', Param('thingId'), Number, path(INT32), '7', 'number 7'],
    ['a boolean in a path, which Nest converts', Param('thingId'), Boolean, path(BOOLEAN), 'false', 'boolean false'],
    ['text of a path', Param('thingId'), String, path(INT64), '9007199254740993', 'string 9007199254740993'],
  ])('starts with a type that they have: %s', async (_, decorator, type, edit, target, seen) => {
    const { api } = await start(taking(decorator, type), edit);
    expect(await api.get(`/v1/things/${target}`)).toMatchObject({ status: 200, json: { seen } });
  });
});

describe('a member of a body with several types', () => {
  const either = body({ oneOf: [TEXT, INT32] });

  it.each<[string, ParameterDecorator, Type<object>, string]>([
    ['of the parameter', Body('value'), String, 'Things.get'],
    ['of the DTO', Body(), dto(String), 'Dto'],
  ])('stops the start when one of them does not fit the type %s', async (_, decorator, type, place) => {
    expect(await refusalOf(taking(decorator, type, Post()), either)).toBe(
      `FILE:1:1 value is of the type integer here, but ${place} takes it as String; ${GIVE}`,
    );
  });

  it('starts with a union', async () => {
    const { api } = await start(taking(Body('value'), Object, Post()), either);
    expect(await api.post('/v1/things', { value: 7 })).toMatchObject({ status: 201, json: { seen: 'number 7' } });
  });

  it.each([
    ['an object as text', dto(String)],
    ['an object made text by @Type()', AS_TEXT],
  ])('stops the start: %s', async (_, type) => {
    expect(await refusalOf(taking(Body(), type, Post()), body(OBJECT))).toContain('value is of the type object here');
  });
});

describe('a member of a DTO with a type that its values do not have', () => {
  it.each<[string, Type<object>, Edit, string, string]>([
    ['an integer as text', dto(String, IsString()), query(INT32), 'of the type integer', 'String'],
    ['text as a number', dto(Number, IsInt()), query(TEXT), 'of the type string', 'Number'],
    ['a list', dto(Array), query(TEXT), 'of the type string', 'Array'],
    ['a date', dto(Date), query({ type: 'string', format: 'date-time' }), 'of the type string', 'Date'],
    [
      '@Type(() => Boolean) of text',
      dto(
        Object,
        TypeOf(() => Boolean),
      ),
      query({ ...TEXT, enum: ['false'] }),
      'of the type string',
      'Boolean',
    ],
    [
      '@Type(() => Number) of a decimal',
      dto(
        Object,
        TypeOf(() => Number),
      ),
      query({ ...TEXT, pattern: '^[0-9.]+$' }),
      'of the type string',
      'Number',
    ],
    [
      '@Type(() => Number) of a list of texts',
      dto(
        Array,
        TypeOf(() => Number),
      ),
      query(LIST),
      'of the type string',
      'Number',
    ],
    [
      '@Type(() => BigInt), which converts nothing',
      dto(
        BigInt,
        TypeOf(() => BigInt),
      ),
      query(INT64),
      'of the type integer',
      'BigInt',
    ],
  ])('stops the start: %s', async (_, type, edit, given, name) => {
    expect(await refusalOf(taking(Query(), type), edit)).toBe(
      `FILE:1:1 value is ${given} here, but Dto takes it as ${name}; ${GIVE}`,
    );
  });

  it('stops the start: an int64 as a number, which is a bigint beyond 2^53', async () => {
    expect(await refusalOf(taking(Query(), dto(Number, IsInt())), query(INT64))).toContain(
      'value may be beyond 2^53 here, but Dto makes it a number, which loses digits;',
    );
  });

  it.each<[string, PropertyDecorator]>([
    ['its argument', TypeOf((_type) => Number)],
    ['the type of the member', TypeOf()],
  ])('stops the start: an int64 as a number that @Type() takes from %s', async (_, decorator) => {
    expect(await refusalOf(taking(Query(), dto(Number, decorator)), query(INT64))).toContain(
      'value may be beyond 2^53 here, but Dto makes it a number, which loses digits;',
    );
  });

  it.each<[string, Type<object>, Edit, string, string]>([
    [
      '@Type(() => Number)',
      dto(
        Number,
        TypeOf(() => Number),
      ),
      query(INT32),
      '7',
      'number 7',
    ],
    [
      '@Type(() => Boolean)',
      dto(
        Boolean,
        TypeOf(() => Boolean),
      ),
      query(BOOLEAN),
      'false',
      'boolean false',
    ],
    [
      'a date of text',
      dto(
        Date,
        TypeOf(() => Date),
      ),
      query({ type: 'string', format: 'date' }),
      '2026-11-20',
      'object Fri Nov 20 2026',
    ],
    ['text of a boolean', AS_TEXT, query(BOOLEAN), 'false', 'string false'],
    ['text of a number', AS_TEXT, query(NUMBER), '1.5', 'string 1.5'],
    ['text of an int64', AS_TEXT, query(INT64), '9007199254740993', 'string 9007199254740993'],
    ['a field of the platform', dto(BigInt, Int64Field({ required: false })), query(INT64), '7', 'bigint 7'],
  ])('starts with a type that they have: %s', async (_, type, edit, sent, seen) => {
    const { api } = await start(taking(Query(), type), edit);
    const response = await api.get(`/v1/things/x?value=${sent}`);
    expect(response.status).toBe(200);
    expect((response.json as { seen: string }).seen).toContain(seen);
  });
});

describe('a DTO of a path', () => {
  /** A DTO with this member. */
  function pathDto(name: string, type: unknown, ...decorators: PropertyDecorator[]): Type<object> {
    class PathDto {
      readonly other?: string;
    }
    for (const decorate of decorators) decorate(PathDto.prototype, name);
    Reflect.defineMetadata('design:type', type, PathDto.prototype, name);
    return PathDto;
  }

  it('stops the start when it lacks a rule for a parameter', async () => {
    const dtoOfOther = pathDto('shopId', String, IsString());
    expect(await refusalOf(taking(Param(), dtoOfOther), path(TEXT))).toBe(
      'FILE:1:1 thingId is declared here, but PathDto has no rule for it; give the member one there, such as @Allow(), or remove it here.',
    );
  });

  it.each<[string, Type<object>, object, string]>([
    ['a number', pathDto('thingId', Number, Allow()), INT32, 'takes it as Number'],
    [
      'a boolean',
      pathDto(
        'thingId',
        Boolean,
        Allow(),
        TypeOf(() => Boolean),
      ),
      { type: 'boolean' },
      'takes it as Boolean',
    ],
    [
      'a rounded integer',
      pathDto(
        'thingId',
        Object,
        Allow(),
        Transform(({ value }) => Number(value)),
      ),
      INT64,
      'of "9007199254740993"',
    ],
    [
      'a bigint that nothing makes',
      pathDto('thingId', BigInt, Int64Field()),
      INT64,
      'thingId may be text here, but the rule int64 in PathDto refuses that',
    ],
  ])('stops the start when it takes text as %s', async (_, type, schema, reason) => {
    expect(await refusalOf(taking(Param(), type), path(schema))).toContain(reason);
  });

  it.each<[string, Type<object>, object]>([
    ['text', pathDto('thingId', String, IsString()), TEXT],
    [
      'a number by @Type()',
      pathDto(
        'thingId',
        Number,
        IsInt(),
        TypeOf(() => Number),
      ),
      INT32,
    ],
    [
      'an integer that a field reads',
      pathDto('thingId', Number, IntegerParameter({ minimum: 1, maximum: 10, default: 1 })),
      { ...INT32, minimum: 1, maximum: 10 },
    ],
    [
      'a boolean by @Transform()',
      pathDto(
        'thingId',
        Boolean,
        Transform(({ value }) => value === 'true'),
        Allow(),
      ),
      BOOLEAN,
    ],
  ])('starts when it takes %s', async (_, type, schema) => {
    expect(await start(taking(Param(), type), path(schema))).toBeDefined();
  });
});

describe('a @Transform() for text', () => {
  const conversion = (convert: (parameters: { value: never; obj: never; key: string }) => unknown) =>
    dto(Object, Transform(convert as never));
  const isTrue = conversion(({ value }) => value === 'true');

  it.each<[string, Type<object>, Edit, string]>([
    ['of a boolean', isTrue, query(BOOLEAN), 'makes false of true'],
    [
      'of a boolean, by its name',
      conversion(({ obj, key }) => obj[key] === 'true'),
      query(BOOLEAN),
      'makes false of true',
    ],
    [
      'of a boolean, in a method of text',
      conversion(({ value }) => (value as string).toLowerCase() === 'true'),
      query(BOOLEAN),
      'fails for true',
    ],
    [
      'that rounds an int64',
      conversion(({ value }) => Number(value)),
      query(INT64),
      'makes 9007199254740992 of 9007199254740993',
    ],
    [
      'that mixes an int64 with numbers',
      conversion(({ value }) => value * 1),
      query(INT64),
      'fails for 9007199254740993',
    ],
    [
      'that rounds a list',
      conversion(({ value }) => (value as unknown[]).map(Number)),
      query({ type: 'array', items: INT64 }),
      'makes [9007199254740992] of [9007199254740993]',
    ],
    ['of a list', conversion(({ value }) => (value as string).split(',')), query(LIST), 'fails for ["text"]'],
    [
      'that drops a number',
      conversion(({ value }) => (typeof value === 'string' ? Number(value) : undefined)),
      query(NUMBER),
      'makes undefined of 1.5',
    ],
    [
      'that drops an integer of a range',
      conversion(({ value }) => (typeof value === 'string' ? Number(value) : undefined)),
      query(RANGE),
      'makes undefined of 100',
    ],
    [
      'of a list of names',
      conversion(({ value }) => (value as string).split(',')),
      query(SIZES),
      'fails for ["small"]',
    ],
  ])('stops the start: %s', async (_, type, edit, outcome) => {
    expect(await refusalOf(taking(Query(), type), edit)).toBe(
      `FILE:1:1 @Transform() of value in Dto ${outcome}, but the contract has read this value already; return it unchanged, or remove @Transform().`,
    );
  });

  it.each<[string, Type<object>, Edit, string, string]>([
    ['of a boolean', conversion(({ value }) => value === 'true' || value), query(BOOLEAN), 'true', 'boolean true'],
    ['of a boolean to text', conversion(({ value }) => (value ? 'yes' : 'no')), query(BOOLEAN), 'false', 'string no'],
    [
      'of an int64 to text',
      conversion(({ value }) => String(value)),
      query(INT64),
      '9007199254740993',
      'string 9007199254740993',
    ],
    ['of a small integer', conversion(({ value }) => Number.parseInt(value, 10)), query(INT32), '7', 'number 7'],
    ['of text', conversion(({ value }) => value === 'true'), query(TEXT), 'true', 'boolean true'],
    [
      'that reads other members',
      conversion(({ value, obj }) => ((obj as { other?: string }).other ?? 'none') + value),
      query(BOOLEAN),
      'true',
      'string nonetrue',
    ],
    ['of an integer of a range', conversion(({ value }) => ['a', 'b'][value - 100]), query(RANGE), '101', 'string b'],
    [
      'of a multiple',
      conversion(({ value }) => ({ 20: 'a', 40: 'b' })[value as number]),
      query({ ...NUMBER, multipleOf: 20 }),
      '40',
      'string b',
    ],
    [
      'of a list of names',
      conversion(({ value }) => (value as string[]).map((size) => ({ small: ['s'], large: ['l'] })[size]![0])),
      query(SIZES),
      'large',
      'object l',
    ],
    [
      'of a list with a pattern',
      conversion(({ value }) => (value as string[]).map((name) => name.split('-')[1]!.trim())),
      query({ type: 'array', items: { ...TEXT, pattern: '^[a-z]+-[a-z]+$' } }),
      'a-b',
      'object b',
    ],
    [
      'of a pair',
      conversion(({ value }) => (value as string[])[1]!.trim()),
      query({ ...LIST, minItems: 2 }),
      'a&value=b',
      'string b',
    ],
  ])('starts when it keeps the value: %s', async (_, type, edit, sent, seen) => {
    const { api } = await start(taking(Query(), type), edit);
    expect(await api.get(`/v1/things/x?value=${sent}`)).toMatchObject({ status: 200, json: { seen } });
  });
});

describe('a @Transform() of a member that may be null', () => {
  const TIME = { ...TEXT, format: 'date-time' };
  const nullable = (schema: object) => body({ ...schema, nullable: true });
  const conversion = (convert: (value: never) => unknown) =>
    dto(
      Object,
      Transform(({ value }) => convert(value as never)),
    );

  it.each<[string, Type<object>, Edit, string]>([
    ['a date', conversion((value) => new Date(value).getTime()), nullable(TIME), 'makes 0 of null'],
    ['a number', conversion((value) => Number(value)), nullable(INT32), 'makes 0 of null'],
    ['a boolean', conversion((value) => Boolean(value)), nullable(BOOLEAN), 'makes false of null'],
    ['text', conversion((value) => String(value)), nullable(TEXT), 'makes "null" of null'],
    ['a trimmed text', conversion((value) => (value as string).trim()), nullable(TEXT), 'fails for null'],
    ['a bigint', conversion((value) => BigInt(value)), nullable(INT64), 'fails for null'],
    [
      'what a member is that was not sent',
      conversion((value: string | null) => value?.trim()),
      nullable(TEXT),
      'makes undefined of null',
    ],
    ['a list', conversion((value) => (value as unknown[]).map(String)), nullable(LIST), 'fails for null'],
    [
      'the items of a list',
      conversion((value) => (value as unknown[]).map(String)),
      body({ ...LIST, items: { ...TEXT, nullable: true } }),
      'makes ["null"] of [null]',
    ],
    [
      'a bigint in a list',
      conversion((value) => (value as number[]).map(BigInt)),
      body({ ...LIST, items: { ...INT64, nullable: true } }),
      'fails for [null]',
    ],
    [
      'an alternative',
      conversion((value) => String(value)),
      body({ oneOf: [{ ...TEXT, nullable: true }, INT32] }),
      'makes "null" of null',
    ],
    [
      'a date after @Type()',
      dto(
        Object,
        TypeOf(() => Date),
        Transform(({ value }) => (value as Date).toISOString()),
      ),
      nullable({ ...TIME, pattern: String.raw`^[^.]*Z$` }),
      'fails for null',
    ],
  ])('stops the start where it makes something of null: %s', async (_, type, edit, outcome) => {
    expect(await refusalOf(taking(Body(), type, Post()), edit)).toBe(
      `FILE:1:1 @Transform() of value in Dto ${outcome}, which is valid here; return null for null there, or forbid null here.`,
    );
  });

  it.each<[string, Type<object>, Edit]>([
    ['keeps it', conversion((value: string | null) => value && value.trim()), nullable(TEXT)],
    [
      'drops it from a member that is required',
      conversion((value: string | null) => value?.trim()),
      body({ ...TEXT, nullable: true }, { required: ['value'] }),
    ],
    [
      'drops it from a member that has a default',
      conversion((value: string | null) => value?.trim()),
      nullable({ ...TEXT, default: 'x' }),
    ],
    [
      'keeps it in a list',
      conversion((value: (string | null)[]) => value.map((item) => item?.trim() ?? null)),
      body({ ...LIST, items: { ...TEXT, nullable: true } }),
    ],
    [
      'refuses it',
      conversion((value) => {
        if (value === null) throw new BadRequestException('null');
        return value;
      }),
      nullable(TEXT),
    ],
    ['never gets it', conversion((value) => (value as string).trim()), body(TEXT)],
    ['is of the platform', dto(BigInt, Int64Field({ required: false })), body(INT64)],
    [
      'never runs',
      dto(
        Object,
        Transform(({ value }) => String(value), { groups: ['a'] }),
      ),
      nullable(TEXT),
    ],
    ['never gets anything', conversion((value) => String(value)), body({ ...TEXT, nullable: true, readOnly: true })],
  ])('starts where it %s', async (_, type, edit) => {
    expect(await start(taking(Body(), type, Post()), edit)).toBeDefined();
  });
});

describe('a @Transform() of text', () => {
  const conversion = (convert: (value: string) => unknown) =>
    dto(
      Object,
      Transform(({ value }) => convert(value as string)),
    );
  const CODE = { ...TEXT, pattern: '^[A-Z]{3}-[0-9]$' };
  const isoOf = (value: unknown) => (value as Date).toISOString();

  it.each<[string, Type<object>, Edit, string]>([
    ['any text', conversion(isoOf), body(TEXT), 'text'],
    ['a date', conversion(isoOf), body({ ...TEXT, format: 'date' }), '2030-12-05'],
    ['text that the contract shows', conversion(isoOf), body({ ...CODE, example: 'ABC-1' }), 'ABC-1'],
  ])('stops the start where it fails for all: %s', async (_, type, edit, shownText) => {
    expect(await refusalOf(taking(Body(), type, Post()), edit)).toBe(
      `FILE:1:1 @Transform() of value in Dto fails for "${shownText}", but the contract has read this value already; return it unchanged, or remove @Transform().`,
    );
  });

  it.each<[string, Type<object>, Edit]>([
    ['trims', conversion((value) => value.trim()), body(TEXT)],
    ['changes its case', conversion((value) => value.toUpperCase()), body({ ...TEXT, pattern: '^[a-z]+$' })],
    ['fails for some', conversion((value) => value.split('-')[1]!.trim()), body(TEXT)],
    ['reads numbers', conversion((value) => BigInt(value)), body(TEXT)],
    ['reads JSON', conversion((value) => JSON.parse(value) as unknown), body(TEXT)],
    ['makes undefined of some', conversion((value) => ({ other: 1 })[value]), body(TEXT)],
    ['takes what no sample shows', conversion((value) => value.split('-')[1]!.trim()), body(CODE)],
    [
      'gets a date from @Type()',
      dto(
        Object,
        TypeOf(() => Date),
        Transform(({ value }) => isoOf(value)),
      ),
      body({ ...TEXT, format: 'date' }),
    ],
  ])('starts where it %s', async (_, type, edit) => {
    expect(await start(taking(Body(), type, Post()), edit)).toBeDefined();
  });
});

describe('a @Transform() beside @Expose()', () => {
  const exposed = (convert: (value: never) => unknown, options = {}) =>
    dto(
      Object,
      Expose(options),
      Transform(({ value }) => convert(value as never)),
    );
  const trimmed = exposed((value) => (value as string).trim());

  it.each<[string, Type<object>, Edit, string]>([
    ['trims', trimmed, query(TEXT), 'fails for undefined'],
    ['reads a number', exposed(Number), query(INT32), 'makes NaN of undefined'],
    ['compares', exposed((value) => value === true), query(BOOLEAN), 'makes false of undefined'],
    ['makes null', exposed((value) => value ?? null), query(TEXT), 'makes null of undefined'],
    ['reads a date', exposed((value) => new Date(value).toISOString()), query(TEXT), 'fails for undefined'],
  ])('stops the start where it %s what was not sent', async (_, type, edit, outcome) => {
    expect(await refusalOf(taking(Query(), type), edit)).toBe(
      `FILE:1:1 @Transform() of value in Dto ${outcome}, which it gets without value because of @Expose(); return undefined for undefined there, or remove @Expose().`,
    );
  });

  it.each<[string, Type<object>, Edit, string]>([
    ['keeps undefined', exposed((value) => (value as string | undefined)?.trim()), query(TEXT), 'undefined undefined'],
    ['has a default', trimmed, query({ ...TEXT, default: ' a ' }), 'string a'],
    [
      'is exposed in responses only',
      exposed((value) => (value as string).trim(), { toPlainOnly: true }),
      query(TEXT),
      'undefined undefined',
    ],
  ])('starts where it %s', async (_, type, edit, seen) => {
    const { api } = await start(taking(Query(), type), edit);
    expect(await api.get('/v1/things/x')).toMatchObject({ status: 200, json: { seen } });
  });

  it('starts where the member is required', async () => {
    const required: Edit = (contract) => {
      query(TEXT)(contract);
      contract.paths['/things/{thingId}'].get.parameters.at(-1).required = true;
    };
    expect(await start(taking(Query(), trimmed), required)).toBeDefined();
  });
});

describe('a list of integers that may be beyond 2^53', () => {
  const WIDE = { type: 'array', items: INT64 };
  const bigints = Transform(({ value }) => (value as (number | bigint)[] | undefined)?.map(BigInt));

  it.each<[string, ParameterDecorator, unknown, Edit, string]>([
    ['of a DTO', Query(), dto(Array), query(WIDE), 'Dto'],
    ['of a DTO that takes integers', Query(), dto(Array, IsInt({ each: true })), query(WIDE), 'Dto'],
    ['without a DTO', Query('value'), Array, query(WIDE), 'Things.get'],
    ['without a format', Query(), dto(Array), query({ ...WIDE, items: { type: 'integer' } }), 'Dto'],
  ])('stops the start, because it would have numbers and bigints: %s', async (_, decorator, type, edit, place) => {
    expect(await refusalOf(taking(decorator, type), edit)).toBe(
      `FILE:1:1 value is a list whose items may be beyond 2^53 here, so that ${place} would get numbers and bigints mixed; convert them with a pipe, or in a DTO with @Transform(({ value }) => value?.map(BigInt)), or limit the items here.`,
    );
  });

  it.each<[string, ParameterDecorator, unknown, Edit]>([
    ['converts them', Query(), dto(Array, bigints), query(WIDE)],
    ['has a pipe for them', Query('value', { transform: (value: unknown) => value }), Array, query(WIDE)],
    [
      'makes text of them',
      Query(),
      dto(
        Array,
        TypeOf(() => String),
      ),
      query(WIDE),
    ],
    ['limits them', Query(), dto(Array, IsInt({ each: true }), IsOptional()), query({ ...WIDE, items: INT32 })],
    ['may be anything', Query('value'), Object, query(WIDE)],
  ])('starts where the handler %s', async (_, decorator, type, edit) => {
    expect(await start(taking(decorator, type), edit)).toBeDefined();
  });

  it('has bigints only where they are converted', async () => {
    const { api } = await start(taking(Body(), dto(Array, bigints), Post()), body(WIDE));
    const response = await api.post('/v1/things', { value: [1, 2 ** 53] });
    expect(response.json).toEqual({ seen: 'object 1,9007199254740992' });
  });
});

describe('a Date', () => {
  const TIME = { ...TEXT, format: 'date-time' };
  const DATE = { ...TEXT, format: 'date' };
  const MILLISECONDS = { ...TIME, pattern: String.raw`^[^.]+(\.\d{1,3})?Z$` };
  const typed = dto(
    Date,
    TypeOf(() => Date),
  );
  const listed = dto(
    Array,
    TypeOf(() => Date),
  );
  const converted = dto(
    Date,
    Transform(({ value }) => (typeof value === 'string' ? new Date(value) : (value as unknown))),
  );
  const listOf = (items: object) => ({ type: 'array', items });

  it.each<[string, Type<object>, Edit]>([
    ['the query', taking(Query('value', new ParseDatePipe()), Date), query(TIME)],
    ['the query, by its class', taking(Query('value', ParseDatePipe), Date), query(TIME)],
    ['the query, or its default', taking(Query('value', new DefaultValuePipe(''), ParseDatePipe), Date), query(TIME)],
    ['the body', taking(Body('value', ParseDatePipe), Date, Post()), body(TIME)],
  ])('stops the start where a ParseDatePipe makes it of finer times of %s', async (_, controller, edit) => {
    expect(await refusalOf(controller, edit)).toBe(
      String.raw`FILE:1:1 value may be finer than milliseconds here, but Things.get makes it a Date, which loses digits; give it a pattern here, such as '^[^.]+(\.\d{1,3})?Z$', or take it as text.`.replaceAll(
        '\\\\',
        '\\',
      ),
    );
  });

  it.each<[string, readonly PipeTransform[], object]>([
    ['times of milliseconds', [new ParseDatePipe({ optional: true })], MILLISECONDS],
    ['dates', [new ParseDatePipe({ optional: true })], DATE],
    ['what another pipe makes', [{ transform: () => '2030-12-05' }, new ParseDatePipe()], TIME],
  ])('starts where a ParseDatePipe makes it of %s', async (_, pipes, schema) => {
    expect(await start(taking(Query('value', ...pipes), Date), query(schema))).toBeDefined();
  });

  it.each<[string, Type<object>, object]>([
    ['text', typed, TEXT],
    ['text of another format', typed, { ...TEXT, format: 'uuid' }],
    ['a date or other text', typed, { oneOf: [DATE, TEXT] }],
    ['texts in a list', listed, listOf(TEXT)],
  ])('stops the start where it is made of %s', async (_, type, schema) => {
    expect(await refusalOf(taking(Body(), type, Post()), body(schema))).toBe(
      'FILE:1:1 value may be any text here, but Dto makes it a Date; give it the format date or date-time here, or take it as text.',
    );
  });

  it.each<[string, Type<object>, object]>([
    ['a time', typed, TIME],
    ['a time with a pattern for microseconds', typed, { ...TIME, pattern: String.raw`\.\d{6}Z$` }],
    ['times in a list', listed, listOf(TIME)],
    ['a time, by @Transform()', converted, TIME],
  ])('stops the start where it would lose digits of %s', async (_, type, schema) => {
    expect(await refusalOf(taking(Body(), type, Post()), body(schema))).toBe(
      String.raw`FILE:1:1 value may be finer than milliseconds here, but Dto makes it a Date, which loses digits; give it a pattern here, such as '^[^.]+(\.\d{1,3})?Z$', or take it as text.`,
    );
  });

  it('stops the start where it is made of an integer that may be a bigint', async () => {
    expect(await refusalOf(taking(Body(), typed, Post()), body(INT64))).toContain(
      'value may be beyond 2^53 here, but Dto makes it a Date, which loses digits;',
    );
  });

  it.each<[string, Type<object>, object]>([
    ['a date', typed, DATE],
    ['a date that may be null', typed, { ...DATE, nullable: true }],
    ['a date in parts', typed, { allOf: [DATE, { ...TEXT, maxLength: 10 }] }],
    ['a date or a number', typed, { oneOf: [DATE, INT32] }],
    ['a time of milliseconds', typed, MILLISECONDS],
    ['times of milliseconds in a list', listed, listOf(MILLISECONDS)],
    ['a time of milliseconds, by @Transform()', converted, MILLISECONDS],
    ['milliseconds', typed, { ...INT32 }],
  ])('may be made of %s', async (_, type, schema) => {
    expect(await start(taking(Body(), type, Post()), body(schema))).toBeDefined();
  });

  it('has the milliseconds of the pattern that the refusal names', async () => {
    const { api } = await start(taking(Body(), typed, Post()), body(MILLISECONDS));
    expect((await api.post('/v1/things', { value: '2030-12-05T10:30:00.123Z' })).status).toBe(201);
    expect((await api.post('/v1/things', { value: '2030-12-05T10:30:00.1234Z' })).status).toBe(400);
  });
});
