import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { applyDecorators, Body, Controller, Module, Post, Req, type Type } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { IsOptional, ValidateIf } from 'class-validator';
import type { Request } from 'express';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../../../../src/platform/process/start-error.js';
import {
  CursorParameter,
  EnumField,
  Int64Field,
  IntegerParameter,
  TextField,
} from '../../../../src/platform/validation/fields.js';
import { type StartedApp, startApp, startRefusal } from '../../../support/start-app.js';
import { baseContract, json, postOf } from '../base-contract.js';

class Thing {
  @TextField()
  name: string;

  @Int64Field({ required: false })
  owner?: bigint;
}

@Controller('things')
class ThingsController {
  @Post()
  add(@Body() thing?: Thing): object {
    return { owner: thing ? typeof thing.owner : 'no body' };
  }
}

@Controller('drafts')
class DraftsController {
  @Post()
  add(@Body() thing: Thing): object {
    return thing;
  }
}

@Controller('things')
class WholeController {
  @Post()
  add(@Body('name') name: string, @Req() request: Request): object {
    return { owner: `${name} of ${(request.body as { colour: string }).colour}` };
  }
}

@Controller('things')
class NamedController {
  @Post()
  add(@Body('name') name: string): object {
    return { owner: name };
  }
}

@Module({ controllers: [WholeController] })
class WholeModule {}

@Module({ controllers: [NamedController] })
class NamedModule {}

/** Not a feature, and with a path of its own: outside the contract. */
@Module({ controllers: [DraftsController] })
class DraftsModule {}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

@Module({
  controllers: [ThingsController],
  imports: [DraftsModule, RouterModule.register([{ path: '/', module: DraftsModule }])],
})
class BothModule {}

/** A name where there is an owner. */
class OwnedThing extends PickType(Thing, ['owner']) {
  @ValidateIf(({ owner }: Thing) => owner !== undefined)
  @TextField()
  name: string;
}

/** Its handler takes this DTO. */
function featureOf(dto: Type<object>): Type<object> {
  @Controller('things')
  class OwnController {
    @Post()
    add(@Body() thing: Thing): object {
      return { owner: typeof thing.owner };
    }
  }
  Reflect.defineMetadata('design:paramtypes', [dto], OwnController.prototype, 'add');
  @Module({ controllers: [OwnController] })
  class OwnModule {}
  return OwnModule;
}

const NAME = { type: 'string', pattern: String.raw`^[^\u0000]*$` };
const OWNER = { type: 'integer', format: 'int64' };
const file = join(mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'own-')), 'openapi.yaml');

/** The application with a body of these properties. */
function start(properties: object, required = ['name'], feature: Type<object> = ThingsModule): Promise<StartedApp> {
  const contract = baseContract('3.0.3');
  delete contract.paths['/things/{thingId}'];
  postOf(contract).requestBody.content = json({ type: 'object', required, properties });
  postOf(contract).responses[201].content = json({ type: 'object', properties: { owner: { type: 'string' } } });
  writeFileSync(file, JSON.stringify(contract));
  return startApp({}, { contractFile: file, features: [feature] });
}

/** How often a rule reads this text: both the contract's and that of the decorator do it so. */
function countChecks(text: string): () => number {
  const check = jest.spyOn(String.prototype, 'isWellFormed');
  return () => check.mock.contexts.filter((context) => String(context) === text).length;
}

afterEach(() => void jest.restoreAllMocks());

describe('a field whose schema equals that of the contract', () => {
  it('is checked once', async () => {
    const { api } = await start({ name: NAME, owner: OWNER });
    const count = countChecks('Rex the first');
    expect((await api.post('/v1/things', { name: 'Rex the first', owner: 1 })).status).toBe(201);
    expect(count()).toBe(1);
  });

  it('is still checked by the contract, and converted', async () => {
    const { api } = await start({ name: { ...NAME, maxLength: 3 }, owner: OWNER });
    expect((await api.post('/v1/things', { name: 'Rex', owner: 1 })).json).toEqual({ owner: 'bigint' });
    expect((await api.post('/v1/things', { name: 'Rexy' })).status).toBe(400);
    expect((await api.post('/v1/things', { name: 'a\0' })).status).toBe(400);
    expect((await api.post('/v1/things', { name: 'Rex', owner: 'x' })).status).toBe(400);
    expect((await api.post('/v1/things', {})).status).toBe(400);
  });
});

describe('a field that the contract does not declare', () => {
  it('is checked by its decorator', async () => {
    class Named extends PickType(Thing, ['owner']) {
      @TextField({ required: false })
      name?: string;
    }
    const { api } = await start({ owner: OWNER }, [], featureOf(Named));
    const count = countChecks('Rex the second');
    expect((await api.post('/v1/things', { name: 'Rex the second' })).status).toBe(201);
    expect(count()).toBe(1);
    expect((await api.post('/v1/things', { name: 7 })).status).toBe(400);
  });
});

describe('a field that a route outside the contract has as well', () => {
  it('is checked by its decorator in both', async () => {
    const { api } = await start({ name: NAME, owner: OWNER }, ['name'], BothModule);
    const count = countChecks('Rex the third');
    expect((await api.post('/v1/things', { name: 'Rex the third' })).status).toBe(201);
    expect(count()).toBe(2);
  });

  it('leaves a body that is not sent undefined', async () => {
    const { api } = await start({ name: NAME, owner: OWNER }, ['name'], BothModule);
    expect(await api.request('POST', '/v1/things', {})).toMatchObject({ status: 201, json: { owner: 'no body' } });
  });
});

describe('a field that differs from the contract', () => {
  it.each<[string, object, string[], string]>([
    ['pattern', { name: { type: 'string' } }, ['name'], 'is missing here and "^[^\\\\u0000]*$" in Thing'],
    ['required', { name: NAME }, [], 'is false here and true in Thing'],
    ['required', { name: NAME, owner: OWNER }, ['name', 'owner'], 'is true here and false in Thing'],
    ['nullable', { name: { ...NAME, nullable: true } }, ['name'], 'is true here and false in Thing'],
    ['format', { name: NAME, owner: { type: 'integer' } }, ['name'], 'is missing here and "int64" in Thing'],
    ['type', { name: NAME, owner: { type: 'number', format: 'double' } }, ['name'], 'is "number" here'],
  ])('stops the start, which names the difference: %s', async (keyword, properties, required, difference) => {
    const error: unknown = await start(properties, required).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartError);
    const { message } = error as StartError;
    expect(message.replace(file, 'FILE')).toMatch(/^FILE:\d+:\d+ /);
    expect(message).toContain(`"${keyword}" of `);
    expect(message).toContain(difference);
    expect(message).toMatch(/ in Thing; make them equal\.$/);
  });
});

describe('a field whose schema has parts or alternatives in the contract', () => {
  const STATES = { type: 'string', enum: ['a', 'b'] };
  const A = EnumField({ A: 'a' }, 'State');
  const AB = EnumField({ A: 'a', B: 'b' }, 'State');
  const optionalAB = EnumField({ A: 'a', B: 'b' }, 'State', { required: false });
  const TEN = IntegerParameter({ minimum: 1, maximum: 10, default: 5 });
  const UP_TO = (maximum: number) => ({ type: 'integer', minimum: 1, maximum });
  const wrapped = (schema: object, others: object = {}) => ({ allOf: [schema], description: 'the same', ...others });
  const twoParts = (schema: { type: string; [keyword: string]: unknown }) => ({
    allOf: [schema, { type: schema.type }],
  });

  /** A DTO with this field only. */
  function dtoOf(decorate: PropertyDecorator): Type<object> {
    class Dto {
      value?: unknown;
    }
    decorate(Dto.prototype, 'value');
    return Dto;
  }

  it.each<[string, PropertyDecorator, object, string[], string]>([
    [
      'the values of a single part',
      A,
      wrapped(STATES),
      ['value'],
      '"enum" of value is ["a","b"] here and ["a"] in Dto; make them equal',
    ],
    [
      'the values of a part in a part',
      A,
      wrapped(wrapped(STATES)),
      ['value'],
      '"enum" of value is ["a","b"] here and ["a"] in Dto; make them equal',
    ],
    [
      'the pattern of a single part',
      TextField(),
      wrapped({ type: 'string' }),
      ['value'],
      '"pattern" of value is missing here and "^[^\\\\u0000]*$" in Dto; make them equal',
    ],
    [
      'that it may be missing',
      AB,
      wrapped(STATES),
      [],
      '"required" of value is false here and true in Dto; make them equal',
    ],
    [
      'the default beside a single part',
      TEN,
      wrapped(UP_TO(10), { default: 6 }),
      [],
      '"default" of value is 6 here and 5 in Dto; make them equal',
    ],
    [
      'the values of several parts',
      A,
      twoParts(STATES),
      ['value'],
      'value may be "b" here, but the rule State in Dto refuses that; loosen the rule there, or forbid that here',
    ],
    [
      'a bound of several parts',
      TEN,
      { ...twoParts(UP_TO(20)), default: 5 },
      [],
      'value may be 20 here, but the rule integer in Dto refuses that; loosen the rule there, or forbid that here',
    ],
    [
      'that several parts may be missing',
      AB,
      twoParts(STATES),
      [],
      'value may be missing here, but the rule State in Dto refuses that; add @IsOptional() there, or require it here',
    ],
    [
      'null in one alternative',
      AB,
      { oneOf: [STATES, { type: 'string', nullable: true, enum: [null] }] },
      ['value'],
      'value may be null here, but the rule State in Dto refuses that; add @IsOptional() there, or forbid null here',
    ],
    [
      'null for one that may be missing',
      optionalAB,
      { oneOf: [STATES, { type: 'string', nullable: true, enum: [null] }] },
      [],
      'value may be null here, but the rule State in Dto refuses that; add @IsOptional() there, or forbid null here',
    ],
    [
      'text in one alternative',
      Int64Field(),
      { oneOf: [OWNER, { type: 'string' }] },
      ['value'],
      'value may be text here, but the rule int64 in Dto refuses that; loosen the rule there, or forbid that here',
    ],
    [
      'a number in one alternative',
      AB,
      { oneOf: [STATES, OWNER] },
      ['value'],
      'value may be a number here, but the rule State in Dto refuses that; loosen the rule there, or forbid that here',
    ],
  ])('stops the start where it refuses %s', async (_, decorate, value, required, refusal) => {
    expect(await startRefusal(start({ value }, required, featureOf(dtoOf(decorate))))).toBe(`FILE:1:1 ${refusal}.`);
  });

  it.each<[string, PropertyDecorator, object, string[]]>([
    ['equal to a single part', AB, wrapped(STATES), ['value']],
    ['equal to a single part, with extensions', AB, wrapped(STATES, { example: 'a', 'x-note': 'a' }), ['value']],
    ['equal to a single part with a default', TEN, wrapped(UP_TO(10), { default: 5 }), []],
    ['met by all of several parts', AB, twoParts(STATES), ['value']],
    ['met by a narrower part', AB, twoParts({ ...STATES, enum: ['a'] }), ['value']],
    ['met by several parts that it converts', Int64Field(), twoParts({ ...OWNER, minimum: 1 }), ['value']],
    ['met by bounds', TEN, { ...twoParts(UP_TO(10)), default: 5 }, []],
    ['stricter than several parts', TextField(), twoParts({ type: 'string' }), ['value']],
    [
      'a token that parts limit',
      CursorParameter((token) => (token === 'c' ? 1n : undefined)),
      twoParts({ type: 'string', maxLength: 40 }),
      [],
    ],
    [
      'met by null that @IsOptional() lets through',
      applyDecorators(IsOptional(), AB),
      { oneOf: [STATES, { type: 'string', nullable: true, enum: [null] }] },
      [],
    ],
    [
      'met by null that @IsOptional() lets through, beside its type',
      applyDecorators(IsOptional(), Int64Field()),
      { ...OWNER, nullable: true },
      ['value'],
    ],
    [
      'met by null in an enumeration, which @IsOptional() lets through',
      applyDecorators(IsOptional(), AB),
      { ...STATES, nullable: true, enum: [...STATES.enum, null] },
      [],
    ],
    ['equal to a single part that is not null', AB, wrapped(STATES, { nullable: false }), ['value']],
  ])('starts where it is %s', async (_, decorate, value, required) => {
    expect(await start({ value }, required, featureOf(dtoOf(decorate)))).toBeDefined();
  });

  it('converts an int64 that may be null, and keeps null', async () => {
    const nullable = dtoOf(applyDecorators(IsOptional(), Int64Field()));
    const { api } = await start({ value: { ...OWNER, nullable: true } }, ['value'], featureOf(nullable));
    for (const value of [null, 7]) expect((await api.post('/v1/things', { value })).status).toBe(201);
    expect((await api.post('/v1/things', {})).status).toBe(400);
    expect((await api.post('/v1/things', { value: 'a' })).status).toBe(400);
  });

  it.each([
    [
      'null without @IsOptional()',
      Int64Field({ required: false }),
      { ...OWNER, nullable: true },
      '"nullable" of value is true here and false',
    ],
    [
      'another enumeration beside null',
      applyDecorators(IsOptional(), A),
      { ...STATES, nullable: true, enum: ['a', 'b', null] },
      '"enum" of value is ["a","b"] here and ["a"]',
    ],
  ])('stops the start: %s', async (_, decorate, value, difference) => {
    expect(await startRefusal(start({ value }, [], featureOf(dtoOf(decorate))))).toBe(
      `FILE:1:1 ${difference} in Dto; make them equal.`,
    );
  });

  it('is checked once where it is equal to a single part', async () => {
    const { api } = await start({ name: wrapped(NAME), owner: wrapped(OWNER) });
    const count = countChecks('Rex the fourth');
    expect((await api.post('/v1/things', { name: 'Rex the fourth', owner: 1 })).json).toEqual({ owner: 'bigint' });
    expect(count()).toBe(1);
  });
});

describe('a field of a mapped type', () => {
  const WIDE = { name: { type: 'string' }, owner: OWNER };

  it.each<[string, Type<object>]>([
    ['PickType', PickType(Thing, ['name', 'owner'])],
    ['OmitType', OmitType(Thing, [])],
    ['IntersectionType', IntersectionType(PickType(Thing, ['name']), PickType(Thing, ['owner']))],
  ])('stops the start when it differs: %s', async (_, dto) => {
    await expect(start(WIDE, ['name'], featureOf(dto))).rejects.toThrow(`in ${dto.name}; make them equal.`);
    await start({ name: NAME, owner: OWNER }, ['name'], featureOf(dto));
  });

  it.each<[string, Type<object>]>([
    ['PartialType', PartialType(Thing)],
    ['PartialType that refuses null', PartialType(Thing, { skipNullProperties: false })],
  ])('is compared: as in the contract, by %s', async (_, dto) => {
    await expect(start(WIDE, [], featureOf(dto))).rejects.toThrow('"pattern" of name is missing here');
    const { api } = await start({ name: NAME, owner: OWNER }, [], featureOf(dto));
    expect((await api.post('/v1/things', { owner: 1 })).json).toEqual({ owner: 'bigint' });
    expect((await api.post('/v1/things', { name: 'a\0' })).status).toBe(400);
  });
});

describe('a field that is required on a condition', () => {
  it('is demanded by a condition of the DTO although the contract does not require it', async () => {
    const { api } = await start({ name: NAME, owner: OWNER }, [], featureOf(OwnedThing));
    expect((await api.post('/v1/things', {})).status).toBe(201);
    expect((await api.post('/v1/things', { owner: 1 })).status).toBe(400);
    expect((await api.post('/v1/things', { owner: 1, name: 'Rex' })).status).toBe(201);
  });
});

describe('a member that only the contract declares', () => {
  const COLOUR = { type: 'string' };
  const RULELESS = 'Thing has no rule for it; give the member one there, such as @Allow()';

  it.each<[string, Type<object>, object, string]>([
    ['its DTO lacks it', ThingsModule, { ...COLOUR }, RULELESS],
    ['its DTO lacks it, and it is composed', ThingsModule, { oneOf: [COLOUR] }, RULELESS],
    ['no parameter names it', NamedModule, COLOUR, 'NamedController.add does not take it; add it there'],
  ])('stops the start: %s', async (_, feature, colour, lacking) => {
    const error: unknown = await start({ name: NAME, owner: OWNER, colour }, ['name'], feature).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(StartError);
    const member = feature === NamedModule ? 'owner' : 'colour';
    expect((error as StartError).message.replace(file, 'FILE').replaceAll(/\d+/g, '1')).toBe(
      `FILE:1:1 ${member} is declared here, but ${lacking}, or remove it here.`,
    );
  });

  it('does not stop the start when it is read-only, or when a handler without a DTO takes the request', async () => {
    await start({ name: NAME, owner: OWNER, colour: { ...COLOUR, readOnly: true } });
    const { api } = await start({ name: NAME, owner: OWNER, colour: COLOUR }, ['name'], WholeModule);
    expect((await api.post('/v1/things', { name: 'Rex', colour: 'red' })).json).toEqual({ owner: 'Rex of red' });
  });
});
