import { describe, expect, it } from '@jest/globals';
import { Body, type Type } from '@nestjs/common';
import { PartialType, PickType } from '@nestjs/swagger';
import { Transform, Type as TypeOf } from 'class-transformer';
import { Allow, IsArray, IsBoolean, IsOptional, IsString, ValidateNested } from 'class-validator';
import { Int64Field, IntegerParameter } from '../../../../src/platform/validation/fields.js';
import { type StartedApp, startRefusal } from '../../../support/start-app.js';
import { startTaking } from '../taking-body.js';

class New {
  @IsOptional()
  @IsArray()
  tags?: string[] = [];

  @IsOptional()
  @IsBoolean()
  urgent?: boolean = false;
}

class Changes extends PartialType(New) {}
class Tags extends PickType(New, ['tags'] as const) {}

class Outer {
  @IsOptional()
  @ValidateNested()
  @TypeOf(() => New)
  inner?: New;
}

class Begun {
  @IsOptional()
  @ValidateNested()
  @TypeOf(() => Outer)
  outer?: Outer = new Outer();
}

class Failing {
  @IsString()
  readonly name: string;

  constructor(row: { name: string }) {
    this.name = row.name;
  }
}

class Computed {
  @IsString()
  name: string;

  @Allow()
  get initial(): string {
    return this.name[0]!;
  }
}

/** A DTO with one optional member, which begins as `initial`. */
function beginning(initial: unknown, ...decorators: PropertyDecorator[]): Type<object> {
  class Dto {
    value? = initial;
  }
  for (const decorate of [Allow(), IsOptional(), ...decorators]) decorate(Dto.prototype, 'value');
  return Dto;
}

/** The application with a body of these properties, which its handler takes as this DTO. */
function start(type: Type<object>, properties: object, required: string[] = []): Promise<StartedApp> {
  const body = { type: 'object', properties, ...(required.length > 0 && { required }) };
  const textOf = (taken: unknown) =>
    JSON.stringify(taken, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  return startTaking([Body(), type], body, textOf);
}

const TEXT = { type: 'string' };
const INT32 = { type: 'integer', format: 'int32' };
const INT64 = { type: 'integer', format: 'int64' };
const FLAG = { type: 'boolean' };
const LIST = { type: 'array', items: TEXT };
const DATE = { type: 'string', format: 'date' };
const ofNew = (urgent: object, tags: object) => ({ type: 'object', properties: { urgent, tags } });

const AS_DATE = Transform(({ value }) => (typeof value === 'string' ? new Date(value) : (value as unknown)));
const LIMIT = { minimum: 1, maximum: 100, default: 20 };

describe('an initial value of a DTO', () => {
  it.each<[string, Type<object>, object, string]>([
    ['of another DTO, by PartialType', Changes, { tags: LIST, urgent: FLAG }, 'tags begins as [] in Changes'],
    ['of another DTO, by PickType', Tags, { tags: LIST }, 'tags begins as [] in Tags'],
    ['null', beginning(null), { value: { ...TEXT, nullable: true } }, 'value begins as null in Dto'],
    ['an int64', beginning(5n, Int64Field({ required: false })), { value: INT64 }, 'value begins as 5 in Dto'],
    ['in a nested DTO', Outer, { inner: ofNew(FLAG, { ...LIST, default: [] }) }, 'urgent begins as false in New'],
    [
      'a nested DTO',
      Begun,
      {
        outer: { type: 'object', properties: { inner: ofNew({ ...FLAG, default: false }, { ...LIST, default: [] }) } },
      },
      'outer begins as an object in Begun',
    ],
  ])('stops the start where the contract has no default: %s', async (_, type, properties, begins) => {
    await expect(startRefusal(start(type, properties))).resolves.toBe(
      `FILE:1:1 ${begins}, but has no default here; remove the initial value, or declare the default.`,
    );
  });

  it.each<[string, Type<object>, object, string]>([
    ['text', beginning('a'), { ...TEXT, default: 'b' }, 'begins as "a" in Dto, but has the default "b"'],
    [
      'a list',
      beginning(['a']),
      { ...LIST, default: ['a', 'b'] },
      'begins as ["a"] in Dto, but has the default ["a", "b"]',
    ],
    [
      'an integer',
      beginning(30, IntegerParameter(LIMIT)),
      { ...INT32, ...LIMIT },
      'begins as 30 in Dto, but has the default 20',
    ],
    ['an int64', beginning(5n), { ...INT64, default: 6 }, 'begins as 5 in Dto, but has the default 6'],
    ['text of a number', beginning('5'), { ...INT32, default: 5 }, 'begins as "5" in Dto, but has the default 5'],
  ])('stops the start where the contract has another default: %s', async (_, type, value, differs) => {
    await expect(startRefusal(start(type, { value }))).resolves.toBe(
      `FILE:1:1 value ${differs} here; remove the initial value, or make them equal.`,
    );
  });

  it.each<[string, Type<object>, object, string]>([
    ['text', beginning('a'), { ...TEXT, default: 'a' }, '"a"'],
    ['null', beginning(null), { ...TEXT, nullable: true, default: null }, 'null'],
    ['a list', beginning(['a']), { ...LIST, default: ['a'] }, '["a"]'],
    ['an int64', beginning(5n, Int64Field({ required: false })), { ...INT64, default: 5 }, '"5n"'],
    [
      'a date',
      beginning(new Date('2030-12-05'), AS_DATE),
      { ...DATE, default: '2030-12-05' },
      '"2030-12-05T00:00:00.000Z"',
    ],
    [
      'what a conversion makes of it',
      beginning(
        'A',
        Transform(({ value }) => String(value).toUpperCase()),
      ),
      { ...TEXT, default: 'a' },
      '"A"',
    ],
    [
      'an object',
      beginning({}),
      { type: 'object', properties: { a: { ...TEXT, default: 'b' } }, default: {} },
      '{"a":"b"}',
    ],
  ])('is accepted where it is the default of the contract: %s', async (_, type, value, seen) => {
    const { api } = await start(type, { value });
    expect((await api.post('/v1/things', {})).json).toEqual({ seen: `{"value":${seen}}` });
  });

  it.each<[string, Type<object>, object, string[]]>([
    ['of a required member', beginning('a'), { value: TEXT }, ['value']],
    ['of a member that is read-only', beginning('a'), { value: { ...TEXT, readOnly: true } }, []],
    ['of a member that is not declared', beginning('a'), {}, []],
    ['undefined', beginning(undefined), { value: TEXT }, []],
    ['computed by an accessor', Computed, { name: TEXT, initial: { ...TEXT, readOnly: true } }, ['name']],
  ])('is accepted where no caller can miss it: %s', async (_, type, properties, required) => {
    expect(await start(type, properties, required)).toBeDefined();
  });
});

describe('a DTO whose constructor needs arguments', () => {
  it('stops the start, because each request would fail', async () => {
    expect(await startRefusal(start(Failing, { name: TEXT }, ['name']))).toMatch(
      /^FILE:1:1 Failing fails when it is made without arguments \(TypeError: .*\), as each request would make it; let its constructor accept that, or take this without a DTO\.$/,
    );
  });
});
