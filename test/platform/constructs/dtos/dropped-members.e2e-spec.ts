import { describe, expect, it } from '@jest/globals';
import { Body, type Type } from '@nestjs/common';
import { Exclude, Expose, Type as TypeOf } from 'class-transformer';
import { IsOptional, IsString, ValidateNested } from 'class-validator';
import { startRefusal } from '../../../support/start-app.js';
import { startTaking } from '../taking-body.js';

const TEXT = { type: 'string' };
const NAMED = { type: 'object', properties: { name: TEXT } };

/** A DTO with an optional `name` and these decorators. */
function dto(onMember: readonly PropertyDecorator[], onClass: readonly ClassDecorator[] = []): Type<object> {
  class Dto {
    @IsOptional()
    @IsString()
    name?: string;
  }
  for (const decorate of onMember) decorate(Dto.prototype, 'name');
  for (const decorate of onClass) decorate(Dto);
  return Dto;
}

class Crossed {
  @IsOptional()
  @IsString()
  name?: string;

  @IsOptional()
  @IsString()
  @Expose({ name: 'name', toPlainOnly: true })
  title?: string;
}

function nested(type: Type<object>): Type<object> {
  class Outer {
    @ValidateNested()
    @TypeOf(() => type)
    inner: object;
  }
  return Outer;
}

const start = (type: Type<object>, schema: object) => startTaking([Body(), type], schema);

describe('a declared member that class-transformer drops from its DTO', () => {
  it.each<[string, Type<object>, string, object]>([
    ['@Exclude()', dto([Exclude()]), '@Exclude()', NAMED],
    ['@Exclude() to a class', dto([Exclude({ toClassOnly: true })]), '@Exclude()', NAMED],
    ['@Exclude() of the class', dto([], [Exclude()]), '@Exclude()', NAMED],
    [
      '@Exclude() of the class, and @Expose() to plain objects only',
      dto([Expose({ toPlainOnly: true })], [Exclude()]),
      '@Exclude()',
      NAMED,
    ],
    ['@Expose() with another name', dto([Expose({ name: 'title' })]), '@Expose()', NAMED],
    ['@Expose() of a group', dto([Expose({ groups: ['admin'] })]), '@Expose()', NAMED],
    [
      '@Expose() of another member with its name',
      Crossed,
      '@Expose()',
      { type: 'object', properties: { name: TEXT, title: TEXT } },
    ],
  ])('stops the start: %s', async (_, type, decorator, schema) => {
    expect(await startRefusal(start(type, schema))).toBe(
      `FILE:1:1 name is declared here, but ${decorator} of class-transformer drops it from ${type.name}; change the decorator there, or remove the member here.`,
    );
  });

  it('stops the start when a member of another name takes it', async () => {
    class Renamed {
      @IsString()
      @Expose({ name: 'name' })
      title: string;
    }

    expect(await startRefusal(start(Renamed, NAMED))).toBe(
      'FILE:1:1 name is declared here, but @Expose() reads it into title of Renamed; call that member name, and remove @Expose().',
    );
  });

  it('stops the start in a nested DTO', async () => {
    const started = start(nested(dto([Exclude()])), { type: 'object', properties: { inner: NAMED } });
    await expect(started).rejects.toThrow('@Exclude() of class-transformer drops it from Dto');
  });
});

describe('a declared member that class-transformer keeps', () => {
  it.each<[string, Type<object>]>([
    ['@Exclude() to plain objects only', dto([Exclude({ toPlainOnly: true })])],
    ['@Exclude() of the class, and @Expose()', dto([Expose()], [Exclude()])],
    ['@Expose() with its own name', dto([Expose({ name: 'name' })])],
    ['@Expose() with another name, to plain objects only', dto([Expose({ name: 'title', toPlainOnly: true })])],
  ])('reaches the handler: %s', async (_, type) => {
    const { api } = await start(type, NAMED);
    expect((await api.post('/v1/things', { name: 'Rex' })).json).toEqual({ seen: '{"name":"Rex"}' });
  });
});
