import { describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  BadRequestException,
  Body,
  Catch,
  Controller,
  Cookies,
  DefaultValuePipe,
  type ExceptionFilter,
  Get,
  Module,
  type NestInterceptor,
  NotFoundException,
  Param,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseDatePipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  type PipeTransform,
  Post,
  Query,
  type Type,
  UseFilters,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import type { Response } from 'express';
import { catchError } from 'rxjs';
import { Type as TypeOf } from 'class-transformer';
import { IsString, MinDate } from 'class-validator';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeJson } from '../../../support/contract/exact-json.js';
import { type StartedApp, startApp, startRefusal } from '../../../support/start-app.js';
import { baseContract, getOf, json, type Part, postOf } from '../base-contract.js';

const TEXT = { type: 'string' };
const FLAG = { type: 'boolean' };
const INT32 = { type: 'integer', format: 'int32' };
const NUMBER = { type: 'number' };
const UUID = { ...TEXT, format: 'uuid' };
const OBJECT = { type: 'object', properties: { name: TEXT }, required: ['name'] };
const listOf = (items: object) => ({ type: 'array', items });
const anyOf = (...alternatives: object[]) => ({ anyOf: alternatives });
const NULL = { ...TEXT, nullable: true, enum: [null] };
const STATES = { ...TEXT, enum: ['a', 'b'] };

class Named {
  @IsString()
  name: string;
}

class Dated {
  @TypeOf(() => Date)
  @MinDate(() => new Date())
  at: Date;
}

const DATED = { type: 'object', properties: { at: { type: 'string', format: 'date' } }, required: ['at'] };

/** The pipe of a team, which reads text. */
class YesNoPipe implements PipeTransform {
  transform(value: unknown): unknown {
    return value === 'yes' ? true : value === 'no' ? false : value;
  }
}

/** Both answer what a pipe refuses with 404. */
const hiding: NestInterceptor = {
  intercept: (_, next) =>
    next.handle().pipe(
      catchError(() => {
        throw new NotFoundException('No such thing.');
      }),
    ),
};

@Catch(BadRequestException)
class HidingFilter implements ExceptionFilter {
  catch(_: unknown, host: ArgumentsHost): void {
    const body = { code: 'NOT_FOUND', message: 'No such thing.', status: 404 };
    host.switchToHttp().getResponse<Response>().status(404).json(body);
  }
}

@Catch(BadRequestException)
class PassingFilter extends BaseExceptionFilter {}

type Edit = (contract: Part) => void;

const A_UUID = '8e03978e-40d5-43dd-bc93-6894a57f9324';

const seen = json({ type: 'object', properties: { seen: TEXT } });

/** An operation `GET /things/{thingId}` with one parameter more. */
const query =
  (schema: object, others: object = {}): Edit =>
  (contract) => {
    const get = getOf(contract);
    get.parameters.push({ name: 'value', in: 'query', schema, ...others });
    get.responses[400] = get.responses[404];
    get.responses[200].content = seen;
    contract.paths = { '/things/{thingId}': { get } };
  };
const required = { required: true };

/** The same, which also declares 400. */
const declared =
  (edit: Edit): Edit =>
  (contract) => {
    const get = getOf(contract);
    get.responses[400] = get.responses[404];
    edit(contract);
  };

/** The same with a cookie. */
const cookie =
  (schema: object, others: object = {}): Edit =>
  (contract) =>
    query(schema, { in: 'cookie', ...others })(contract);

/** The same, whose path has this schema. */
const path =
  (schema: object): Edit =>
  (contract) => {
    const get = getOf(contract);
    get.parameters[0].schema = schema;
    get.responses[200].content = seen;
    contract.paths = { '/things/{thingId}': { get } };
  };

/** An operation `POST /things` with this body. */
const whole =
  (schema: object, others: object = required): Edit =>
  (contract) => {
    const post = postOf(contract);
    post.requestBody = { content: json(schema), ...others };
    post.responses[201].content = seen;
    contract.paths = { '/things': { post } };
  };
const body = (value: object, others: object = { required: ['value'] }): Edit =>
  whole({ type: 'object', properties: { value }, ...others });

interface Options {
  readonly type?: unknown;
  readonly ofHandler?: readonly PipeTransform[];
}

/** The application whose handler has one parameter. */
function start(decorate: ParameterDecorator, edit: Edit, { type = Object, ofHandler = [] }: Options = {}) {
  @Controller('things')
  class Things {
    take(value: unknown): object {
      return { seen: `${typeof value} ${String(value)}` };
    }
  }
  const contract = baseContract('3.0.3');
  edit(contract);
  const method = Object.getOwnPropertyDescriptor(Things.prototype, 'take')!;
  (contract.paths['/things'] ? Post() : Get(':thingId'))(Things.prototype, 'take', method);
  decorate(Things.prototype, 'take', 0);
  if (ofHandler.length > 0) UsePipes(...ofHandler)(Things.prototype, 'take', method);
  Reflect.defineMetadata('design:paramtypes', [type], Things.prototype, 'take');
  @Module({ controllers: [Things] })
  class PipedModule {}
  const file = join(mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'piped-')), 'openapi.yaml');
  writeFileSync(file, writeJson(contract));
  return startApp({}, { contractFile: file, features: [PipedModule] });
}

const refusalOf = (started: Promise<StartedApp>) => startRefusal(started);
const optional = 'give it { optional: true } or put a DefaultValuePipe before it there';

describe('a pipe of Nest that refuses what the contract accepts', () => {
  it.each<[string, ParameterDecorator, Edit, string]>([
    ['ParseIntPipe', Query('value', ParseIntPipe), query(INT32), 'value'],
    ['ParseIntPipe', Query('value', new ParseIntPipe()), query(INT32), 'value'],
    ['ParseFloatPipe', Query('value', ParseFloatPipe), query(NUMBER), 'value'],
    ['ParseBoolPipe', Query('value', ParseBoolPipe), query(FLAG), 'value'],
    ['ParseArrayPipe', Query('value', ParseArrayPipe), query(listOf(TEXT)), 'value'],
    ['ParseEnumPipe', Query('value', new ParseEnumPipe({ a: 'a', b: 'b' })), query(STATES), 'value'],
    ['ParseUUIDPipe', Query('value', ParseUUIDPipe), query(UUID), 'value'],
    ['ParseDatePipe', Query('value', ParseDatePipe), query({ ...TEXT, format: 'date' }), 'value'],
    ['ParseIntPipe', Body('value', ParseIntPipe), body(INT32, {}), 'value'],
    ['ParseIntPipe', Cookies('value', ParseIntPipe), cookie(INT32), 'value'],
    ['ParseArrayPipe', Body(new ParseArrayPipe({ items: Named })), whole(listOf(OBJECT), {}), 'the body'],
  ])('stops the start: %s of what may be missing', async (pipe, decorate, edit, name) => {
    expect(await refusalOf(start(decorate, edit))).toBe(
      `FILE:1:1 ${name} may be missing here, but ${pipe} of Things.take refuses that; ${optional}, or require it here.`,
    );
  });

  it.each<[string, ParameterDecorator, Edit, string, number]>([
    ['ParseEnumPipe', Param('thingId', new ParseEnumPipe({ a: 'a' })), path(TEXT), 'value such as "text"', 400],
    [
      'ParseUUIDPipe',
      Param('thingId', new ParseUUIDPipe({ version: '7' })),
      path(UUID),
      `value such as "${A_UUID}"`,
      400,
    ],
    [
      'ParseEnumPipe',
      Query('value', new ParseEnumPipe({ a: 'a' }, { errorHttpStatusCode: 422 })),
      query(TEXT, required),
      'value such as "text"',
      422,
    ],
  ])('stops the start: the status of %s is not declared', async (pipe, decorate, edit, value, status) => {
    expect((await refusalOf(start(decorate, edit))).replace('thingId', 'value')).toBe(
      `FILE:1:1 ${pipe} of Things.take refuses ${value} with ${status}, which this operation does not declare; declare ${status} here, or take it with another pipe.`,
    );
  });

  it.each<[string, ParameterDecorator, Edit, string]>([
    ['whose status the operation declares', Param('thingId', new ParseEnumPipe({ a: 'a' })), declared(path(TEXT)), 'a'],
    ['that refuses what its schema refuses, too', Param('thingId', ParseUUIDPipe), path(UUID), A_UUID],
  ])('starts: a pipe of a path %s', async (_, decorate, edit, value) => {
    const { api } = await start(decorate, edit);
    expect(await api.get(`/v1/things/${value}`)).toMatchObject({ status: 200, json: { seen: `string ${value}` } });
  });

  it.each<[string, MethodDecorator]>([
    ['an interceptor', UseInterceptors(hiding)],
    ['a filter', UseFilters(HidingFilter)],
  ])('starts: %s may answer instead of a pipe whose status is not declared', async (_, wrap) => {
    const decorate: ParameterDecorator = (target, key, index) => {
      Param('thingId', new ParseEnumPipe({ a: 'a' }))(target, key, index);
      wrap(target, key!, Object.getOwnPropertyDescriptor(target, key!)!);
    };
    const { api } = await start(decorate, path(TEXT));
    expect(await api.get('/v1/things/b')).toMatchObject({ status: 404, json: { message: 'No such thing.' } });
  });

  it('stops the start: a filter that passes on does not answer instead of a pipe', async () => {
    const decorate: ParameterDecorator = (target, key, index) => {
      Param('thingId', new ParseEnumPipe({ a: 'a' }))(target, key, index);
      UseFilters(PassingFilter)(target, key!, Object.getOwnPropertyDescriptor(target, key!)!);
    };
    expect(await refusalOf(start(decorate, path(TEXT)))).toContain(
      'refuses thingId such as "text" with 400, which this operation does not declare;',
    );
  });

  it('stops the start: the pipe is one of the handler', async () => {
    const refusal = await refusalOf(start(Query('value'), query(INT32), { ofHandler: [new ParseIntPipe()] }));
    expect(refusal).toBe(
      `FILE:1:1 value may be missing here, but ParseIntPipe of Things.take refuses that; ${optional}, or require it here.`,
    );
  });

  it('stops the start: null in a body', async () => {
    expect(await refusalOf(start(Body('value', ParseIntPipe), body({ ...INT32, nullable: true })))).toBe(
      `FILE:1:1 value may be null here, but ParseIntPipe of Things.take refuses that; ${optional}, or forbid null here.`,
    );
  });

  it.each<[string, ParameterDecorator, Edit, string, string]>([
    ['a value', Query('value', new ParseEnumPipe({ a: 'a' })), query(STATES, required), '"b"', 'ParseEnumPipe'],
    ['a value of a path', Param('thingId', new ParseEnumPipe({ a: 'a' })), path(STATES), '"b"', 'ParseEnumPipe'],
    ['a fraction', Query('value', ParseIntPipe), query(NUMBER, required), '1.5', 'ParseIntPipe'],
    ['a fraction of a cookie', Cookies('value', ParseIntPipe), cookie(NUMBER, required), '1.5', 'ParseIntPipe'],
    ['a fraction of a path', Param('thingId', ParseIntPipe), path(NUMBER), '1.5', 'ParseIntPipe'],
    ['a bound', Query('value', ParseIntPipe), query({ ...NUMBER, minimum: 0.5 }, required), '0.5', 'ParseIntPipe'],
    [
      'an example',
      Query('value', ParseIntPipe),
      query({ ...TEXT, example: 'first' }, required),
      '"first"',
      'ParseIntPipe',
    ],
    ['a boolean', Query('value', ParseIntPipe), query(FLAG, required), 'true', 'ParseIntPipe'],
    ['a number', Query('value', ParseUUIDPipe), query(INT32, required), '7', 'ParseUUIDPipe'],
    [
      'every text of a format',
      Query('value', ParseIntPipe),
      query(UUID, required),
      '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
      'ParseIntPipe',
    ],
    [
      'a default, after a pipe that keeps it',
      Query('value', new DefaultValuePipe(2.5), ParseIntPipe),
      query({ ...NUMBER, default: 2.5 }),
      '2.5',
      'DefaultValuePipe and ParseIntPipe',
    ],
    [
      'items',
      Query('value', new ParseArrayPipe({ items: Number })),
      query(listOf(TEXT), required),
      '["text"]',
      'ParseArrayPipe',
    ],
    [
      'items of another alternative',
      Body('value', new ParseArrayPipe({ items: Number })),
      body(listOf(anyOf(INT32, TEXT))),
      '["text"]',
      'ParseArrayPipe',
    ],
    ['another alternative', Body('value', ParseUUIDPipe), body(anyOf(UUID, INT32)), '7', 'ParseUUIDPipe'],
    [
      'every text of an alternative',
      Body('value', ParseIntPipe),
      body(anyOf(UUID, INT32)),
      `"${A_UUID}"`,
      'ParseIntPipe',
    ],
  ])('stops the start: %s', async (_, decorate, edit, value, pipe) => {
    expect((await refusalOf(start(decorate, edit))).replace('thingId', 'value')).toBe(
      `FILE:1:1 value may be ${value} here, but ${pipe} of Things.take refuses that; take it with another pipe, or forbid that here.`,
    );
  });

  it('starts: a default that acts on null', async () => {
    const schema = { ...INT32, default: 6, nullable: true };
    await expect(start(Body('value', new DefaultValuePipe(5)), body(schema, {}))).resolves.toBeDefined();
  });

  it('stops the start: a default that never acts', async () => {
    const starting = start(Query('value', new DefaultValuePipe(5), ParseIntPipe), query({ ...INT32, default: 6 }));
    expect(await refusalOf(starting)).toBe(
      'FILE:1:1 the default of value is 6 here, so that 5 of the DefaultValuePipe of Things.take never acts; remove the pipe, or the default here.',
    );
  });

  it.each<[string, ParameterDecorator, Edit, string, string]>([
    ['may lack it', Query('value', new ParseIntPipe({ optional: true })), query(INT32), '', 'undefined undefined'],
    ['has a default', Query('value', new DefaultValuePipe(5), ParseIntPipe), query(INT32), '', 'number 5'],
    [
      'has the same default',
      Query('value', new DefaultValuePipe(5), ParseIntPipe),
      query({ ...INT32, default: 5 }),
      '',
      'number 5',
    ],
    ['gets the default of the contract', Query('value', ParseIntPipe), query({ ...INT32, default: 6 }), '', 'number 6'],
    ['requires it', Query('value', ParseIntPipe), query(INT32, required), '?value=7', 'number 7'],
    [
      'takes all values',
      Query('value', new ParseEnumPipe({ a: 'a', b: 'b' })),
      query(STATES, required),
      '?value=b',
      'string b',
    ],
    [
      'chooses numbers',
      Query('value', new ParseEnumPipe({ low: 20 })),
      query({ ...INT32, minimum: 1 }, required),
      '?value=20',
      'number 20',
    ],
    ['chooses texts', Query('value', new ParseEnumPipe({ a: 'a' })), query(TEXT, required), '?value=a', 'string a'],
    ['reads numbers of text', Query('value', ParseIntPipe), query(TEXT, required), '?value=7', 'number 7'],
    ['reads booleans', Query('value', ParseBoolPipe), query(FLAG, required), '?value=false', 'boolean false'],
    [
      'takes one version',
      Query('value', new ParseUUIDPipe({ version: '7' })),
      query(UUID, required),
      '?value=8e03978e-40d5-73dd-bc93-6894a57f9324',
      'string 8e03978e-40d5-73dd-bc93-6894a57f9324',
    ],
    ['reads a path', Param('thingId', ParseIntPipe), path(INT32), '', 'number 9'],
    [
      'reads a list',
      Query('value', new ParseArrayPipe({ items: Number })),
      query(listOf(INT32), required),
      '?value=7',
      'object 7',
    ],
    ['is of the application', Query('value', YesNoPipe), query(FLAG), '', 'undefined undefined'],
    [
      'sees what one of the application returns',
      Query('value', YesNoPipe, ParseBoolPipe),
      query({ ...TEXT, enum: ['yes', 'no'] }, required),
      '?value=yes',
      'boolean true',
    ],
  ])('starts: it %s', async (_, decorate, edit, target, value) => {
    const { api } = await start(decorate, edit);
    expect(await api.get(`/v1/things/9${target}`)).toMatchObject({ status: 200, json: { seen: value } });
  });

  it.each([
    ['reads a number', { cookie: 'value=7' }, 'number 7'],
    ['is not sent', {}, 'undefined undefined'],
  ])('starts: a pipe for a cookie that may be missing %s', async (_, headers, value) => {
    const { api } = await start(Cookies('value', new ParseIntPipe({ optional: true })), cookie(INT32));
    expect(await api.get('/v1/things/9', { headers })).toMatchObject({ status: 200, json: { seen: value } });
  });

  it.each<[string, ParameterDecorator, Edit]>([
    ['a list of objects', Body(new ParseArrayPipe({ items: Named })), whole(listOf(OBJECT))],
    ['a number or its digits', Body('value', ParseIntPipe), body(anyOf(INT32, { ...TEXT, pattern: '^[0-9]{12}$' }))],
    [
      'a list of objects whose rules depend on the time',
      Body(new ParseArrayPipe({ items: Dated })),
      whole({ ...listOf(DATED), example: [{ at: '2020-01-01' }] }),
    ],
    [
      'a list that may be missing',
      Body(new ParseArrayPipe({ items: Named, optional: true })),
      whole(listOf(OBJECT), {}),
    ],
  ])('starts: it takes %s', async (_, decorate, edit) => {
    expect(await start(decorate, edit, { type: Array })).toBeDefined();
  });
});

describe('the items of a ParseArrayPipe that are not kept', () => {
  const pipeOf = (items: unknown) => new ParseArrayPipe({ items: items as Type });

  it.each<[string, unknown, object, string]>([
    ['null as text', String, { ...TEXT, nullable: true }, 'a list with null'],
    ['null as text, by an alternative', String, anyOf(TEXT, NULL), 'a list with null'],
    ['null as a number', Number, { ...INT32, nullable: true }, 'a list with null'],
    ['null as a boolean', Boolean, anyOf(FLAG, NULL), 'a list with null'],
    ['null as a DTO', Named, anyOf(OBJECT, NULL), 'a list with null'],
    ['text that is JSON', Object, TEXT, '["7"]'],
  ])('stop the start: %s', async (_, items, schema, words) => {
    const { name } = items as Type;
    for (const [what, decorate, edit] of [
      ['the body', Body(pipeOf(items)), whole(listOf(schema))],
      ['value', Body('value', pipeOf(items)), body(listOf(schema))],
    ] as const) {
      expect(await refusalOf(start(decorate, edit, { type: Array }))).toBe(
        `FILE:1:1 ${what} may be ${words} here, but the ParseArrayPipe of Things.take does not keep that; take it without { items: ${name} } there, or forbid that here.`,
      );
    }
  });

  it.each<[string, unknown, object, string]>([
    ['lists as a DTO', Named, listOf(OBJECT), 'array'],
    ['objects as text', String, OBJECT, 'object'],
    ['booleans as numbers', Number, anyOf(INT32, FLAG), 'boolean'],
  ])('stop the start: %s', async (_, items, schema, given) => {
    expect(await refusalOf(start(Body(pipeOf(items)), whole(listOf(schema)), { type: Array }))).toBe(
      `FILE:1:1 an item of the body is of the type ${given} here, but Things.take takes it as ${(items as Type).name}; give it the type that it has, or convert it with a pipe, @Transform() or a field of the platform.`,
    );
  });

  it.each<[string, ParameterDecorator, object, unknown, string]>([
    ['null without a type', Body(new ParseArrayPipe()), anyOf(OBJECT, NULL), [{ name: 'a' }, null], '[object Object],'],
    ['null as any value', Body(pipeOf(Object)), anyOf(OBJECT, NULL), [null, { name: 'a' }], ',[object Object]'],
    ['text that is not JSON', Body(pipeOf(Object)), UUID, [A_UUID], A_UUID],
    ['several types as text', Body(pipeOf(String)), anyOf(INT32, TEXT, FLAG), [1, 'a', true], '1,a,true'],
    ['digits', Body(pipeOf(Number)), { ...TEXT, pattern: '^[0-9]+$' }, ['1', '22'], '1,22'],
    ['booleans of text', Body(pipeOf(Boolean)), { ...TEXT, enum: ['true', 'false'] }, ['true', 'false'], 'true,false'],
  ])('start where they are kept or converted: %s', async (_, decorate, schema, sent, seenText) => {
    const { api } = await start(decorate, whole(listOf(schema)), { type: Array });
    expect(await api.post('/v1/things', sent)).toMatchObject({ status: 201, json: { seen: `object ${seenText}` } });
  });
});

describe('a parameter that Nest converts before its pipes run', () => {
  it.each<[string, unknown, ParameterDecorator, Edit, string]>([
    ['text', Boolean, Query('value', YesNoPipe), query(TEXT), 'string'],
    ['texts of a set', Boolean, Query('value', YesNoPipe), query({ ...TEXT, enum: ['yes', 'no'] }), 'string'],
    [
      'text that a pipe of Nest would not refuse',
      Boolean,
      Query('value', ParseBoolPipe),
      query(TEXT, required),
      'string',
    ],
    ['text as a number', Number, Query('value', YesNoPipe), query(TEXT), 'string'],
    ['text with a default', Number, Query('value', new DefaultValuePipe(1), ParseIntPipe), query(TEXT), 'string'],
    ['a list', Number, Query('value', YesNoPipe), query(listOf(TEXT)), 'array'],
    ['text of a path', Boolean, Param('thingId', YesNoPipe), path(TEXT), 'string'],
  ])('stops the start: %s', async (_, type, decorate, edit, given) => {
    expect((await refusalOf(start(decorate, edit, { type }))).replace('thingId', 'value')).toBe(
      `FILE:1:1 value is of the type ${given} here, but Things.take takes it as ${(type as Function).name}, which Nest makes of it before its pipes run; give the parameter another type there, such as unknown.`,
    );
  });

  it.each<[string, unknown, ParameterDecorator, Edit, string, string]>([
    ['takes any type', Object, Query('value', YesNoPipe), query(TEXT), '?value=yes', 'boolean true'],
    ['takes a number', Number, Query('value', YesNoPipe), query(NUMBER), '?value=1.5', 'number 1.5'],
    ['takes a boolean', Boolean, Query('value', YesNoPipe), query(FLAG), '?value=true', 'boolean true'],
    [
      'takes text of a boolean',
      Boolean,
      Query('value', ParseBoolPipe),
      query({ ...TEXT, enum: ['true', 'false'] }, required),
      '?value=false',
      'boolean false',
    ],
    [
      'takes digits',
      Number,
      Query('value', ParseIntPipe),
      query({ ...TEXT, pattern: '^[0-9]+$' }, required),
      '?value=7',
      'number 7',
    ],
    ['takes a number of a path', Number, Param('thingId', YesNoPipe), path(INT32), '', 'number 9'],
  ])('starts: it %s', async (_, type, decorate, edit, target, value) => {
    const { api } = await start(decorate, edit, { type });
    expect(await api.get(`/v1/things/9${target}`)).toMatchObject({ status: 200, json: { seen: value } });
  });
});
