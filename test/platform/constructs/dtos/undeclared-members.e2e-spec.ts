import { describe, expect, it } from '@jest/globals';
import { Body, Query, type Type } from '@nestjs/common';
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
import { EnumField, Int64Field, TextField } from '../../../../src/platform/validation/fields.js';
import { startRefusal } from '../../../support/start-app.js';
import { adding, reading, startReading } from '../reading-a-thing.js';
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
    expect(await startRefusal(startReading(reading([[Query(), requiring]])))).toBe(
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
    const { api } = await startReading(reading([[Query(), requiring]], adding));
    expect(await api.get('/v1/things/x?value=a')).toMatchObject({ json: { seen: '{"value":"a","tenant":"t"}' } });
  });
});
