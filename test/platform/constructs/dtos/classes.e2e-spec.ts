import { describe, expect, it } from '@jest/globals';
import { Body, Cookies, Headers, ParseArrayPipe, type PipeTransform, type Type, ValidationPipe } from '@nestjs/common';
import { ApiProperty, PartialType, PickType } from '@nestjs/swagger';
import { Exclude, Expose, Transform, Type as TypeOf } from 'class-transformer';
import { Allow, IsArray, IsObject, IsOptional, ValidateNested } from 'class-validator';
import { Int64Field } from '../../../../src/platform/validation/fields.js';
import { startRefusal } from '../../../support/start-app.js';
import { startTaking, type Taken } from '../taking-body.js';

const TEXT = { type: 'string' };
const INT64 = { type: 'integer', format: 'int64' };
const objectOf = (properties: object) => ({ type: 'object', properties });
const listOf = (items: object) => ({ type: 'array', items });
const OWNER = objectOf({ id: INT64 });

const whole = (type: unknown): Taken => [Body(), type];

const refusalOf = (taken: Taken, body: object) => startRefusal(startTaking(taken, body));

class Owner {
  @Int64Field({ required: false })
  id?: bigint;
}

class Rounding {
  @TypeOf(() => Number)
  id: number;
}

class Money {
  id: bigint;

  format(): string {
    return String(this.id);
  }
}

class Plain {
  id?: number;
}

/** A DTO with these decorators of its member `owner`. */
function dto(type: unknown, ...decorators: PropertyDecorator[]): Type<object> {
  class Dto {
    owner: unknown;
  }
  Reflect.defineMetadata('design:type', type, Dto.prototype, 'owner');
  for (const decorate of [IsOptional(), ...decorators]) decorate(Dto.prototype, 'owner');
  return Dto;
}

const typed = dto(
  Rounding,
  IsObject(),
  TypeOf(() => Rounding),
);
const CHOICE = { discriminator: { property: 'kind', subTypes: [{ name: 'Owner', value: Owner }] } };
const OBJECT = objectOf({ owner: OWNER });
const LIST = objectOf({ owner: listOf(OWNER) });
const WITHOUT_NESTED = (name: string, nested = '@ValidateNested()') =>
  `owner has @Type() without @ValidateNested() in ${name}, so that no rule of its objects would run; add ${nested}, or remove @Type().`;
const WITHOUT_BOTH = (name: string, type: string) =>
  `owner has neither @Type() nor @ValidateNested() in ${name}, so that it would stay a plain object without what ${type} declares; add @Type(() => ${type}) and @ValidateNested().`;
const OF_A_LIST =
  'owner has neither @Type() nor @ValidateNested() in Dto, so that it would stay a list of plain objects without what Owner declares; add @Type(() => Owner) and @ValidateNested({ each: true }).';
const EACH = '@ValidateNested({ each: true })';

describe('a member that is an object of a class', () => {
  it.each<[string, Type<object>, object, string]>([
    ['with @Type()', typed, OBJECT, WITHOUT_NESTED('Dto')],
    [
      'with @Type() of a list',
      dto(
        Array,
        IsObject({ each: true }),
        TypeOf(() => Owner),
      ),
      LIST,
      WITHOUT_NESTED('Dto', EACH),
    ],
    [
      'with @Type() that ignores its argument',
      dto(
        Object,
        TypeOf((_type) => Owner),
      ),
      OBJECT,
      WITHOUT_NESTED('Dto'),
    ],
    ['with @Type() of its own type', dto(Owner, TypeOf()), OBJECT, WITHOUT_NESTED('Dto')],
    [
      'with @Type() by the value',
      dto(
        Object,
        TypeOf((options) => ('id' in options!.object ? Owner : Plain)),
      ),
      OBJECT,
      WITHOUT_NESTED('Dto'),
    ],
    [
      'with a discriminator',
      dto(
        Object,
        TypeOf(() => Object, CHOICE),
      ),
      OBJECT,
      WITHOUT_NESTED('Dto'),
    ],
    [
      'with @Type() and a @Transform()',
      dto(
        Owner,
        TypeOf(() => Owner),
        Transform(({ value }): unknown => value),
      ),
      OBJECT,
      WITHOUT_NESTED('Dto'),
    ],
    ['with @Type(), in PartialType()', PartialType(typed), OBJECT, WITHOUT_NESTED('PartialDto')],
    ['with rules', dto(Owner, IsObject()), OBJECT, WITHOUT_BOTH('Dto', 'Owner')],
    ['with rules, in PickType()', PickType(dto(Owner), ['owner'] as never), OBJECT, WITHOUT_BOTH('PickDto', 'Owner')],
    ['with methods', dto(Money, IsObject()), OBJECT, WITHOUT_BOTH('Dto', 'Money')],
    ['with decorators', dto(Rounding, IsObject()), OBJECT, WITHOUT_BOTH('Dto', 'Rounding')],
    ['in a documented list', dto(Array, IsArray(), ApiProperty({ type: [Owner] })), LIST, OF_A_LIST],
    ['in a list documented later', dto(Array, IsArray(), ApiProperty({ type: () => [Owner] })), LIST, OF_A_LIST],
  ])('stops the start unless it is nested: %s', async (_, type, body, reason) => {
    expect((await refusalOf(whole(type), body)).replace(/(Partial|Pick)\w+/g, '$1Dto')).toBe(`FILE:1:1 ${reason}`);
  });

  it('stops the start inside of a nested one', async () => {
    const outer = dto(
      Object,
      TypeOf(() => typed),
      ValidateNested(),
    );
    expect(await refusalOf(whole(outer), objectOf({ owner: OBJECT }))).toBe(`FILE:1:1 ${WITHOUT_NESTED('Dto')}`);
  });

  it.each<[string, unknown, object, string]>([
    ['text as a DTO', Owner, TEXT, 'string'],
    ['text as a class with methods', URL, TEXT, 'string'],
    ['an object as a Map that nobody makes', Map, OWNER, 'object'],
  ])('stops the start where it is no object: %s', async (_, type, schema, given) => {
    expect(await refusalOf(whole(dto(type, Allow())), objectOf({ owner: schema }))).toContain(
      `owner is of the type ${given} here, but Dto takes it as ${(type as Type<object>).name};`,
    );
  });

  it.each<[string, Type<object>]>([
    [
      'nested',
      dto(
        Owner,
        ValidateNested(),
        TypeOf(() => Owner),
      ),
    ],
    ['of a type without decorators', dto(Plain, IsObject())],
    ['that is an object only', dto(Object, IsObject(), ApiProperty({ type: Owner }))],
    [
      'with @Type(() => Object)',
      dto(
        Object,
        TypeOf(() => Object),
      ),
    ],
    [
      'made by @Transform()',
      dto(
        Owner,
        Transform(({ value }): unknown => value),
      ),
    ],
    [
      'made a Map by @Type()',
      dto(
        Map,
        TypeOf(() => Map),
      ),
    ],
  ])('starts: %s', async (_, type) => {
    const { api } = await startTaking(whole(type), OBJECT);
    expect((await api.post('/v1/things', { owner: { id: 7 } })).status).toBe(201);
  });
});

class Dated {
  @TypeOf(() => Date)
  at: Date;
}

class Trimmed {
  @Transform(({ value }: { value: string }) => value.trim())
  at: string;
}

class Exposed {
  @Expose()
  at: string;
}

class Hidden {
  @Exclude()
  at: string;
}

class Documented {
  @ApiProperty()
  at: bigint;
}

class Shouting {
  at: string;

  get loud(): string {
    return this.at.toUpperCase();
  }
}

class Heir extends Dated {
  readonly other?: string;
}

const AT = objectOf({ at: TEXT });
const ITEMS = listOf(objectOf({ at: TEXT }));
const NOT_RUN = 'its decorators would not run';
const NOT_COMPARED = 'its members would not be compared with the contract';
const MISSING = 'its methods and accessors would be missing';

class Instances implements PipeTransform {
  transform(value: object): Shouting {
    return Object.assign(new Shouting(), value);
  }
}

describe('a class without rules', () => {
  it.each<[string, Taken, object, string, string]>([
    ['with @Type()', whole(Dated), AT, 'the body as Dated', NOT_RUN],
    ['with @Transform()', whole(Trimmed), AT, 'the body as Trimmed', NOT_RUN],
    ['with @Expose()', whole(Exposed), AT, 'the body as Exposed', NOT_RUN],
    ['with @Exclude()', whole(Hidden), AT, 'the body as Hidden', NOT_RUN],
    ['with an inherited decorator', whole(Heir), AT, 'the body as Heir', NOT_RUN],
    ['with @ApiProperty()', whole(Documented), AT, 'the body as Documented', NOT_COMPARED],
    ['with an accessor', whole(Shouting), AT, 'the body as Shouting', MISSING],
    ['behind a ValidationPipe', [Body(new ValidationPipe()), Shouting], AT, 'the body as Shouting', MISSING],
    ['of a member', [Body('owner'), Dated], objectOf({ owner: AT }), 'owner as Dated', NOT_RUN],
    [
      'of the items of a list',
      [Body(new ParseArrayPipe({ items: Dated })), Array],
      ITEMS,
      'the body as Dated',
      NOT_COMPARED,
    ],
  ])('stops the start: %s', async (_, taken, body, what, reason) => {
    expect(await refusalOf(taken, body)).toBe(
      `FILE:1:1 Things.add takes ${what}, which has no rule of class-validator, so that ${reason}; give each member one, such as @Allow().`,
    );
  });

  it('stops the start: of an "import type"', async () => {
    expect(await refusalOf(whole(Function), AT)).toBe(
      'FILE:1:1 Things.add takes the body as Function, which TypeScript makes of a class that "import type" imports; import the class with "import".',
    );
  });

  it.each<[string, Taken, string]>([
    ['headers', [Headers(), Shouting], 'headers'],
    ['cookies', [Cookies(), Dated], 'cookies'],
  ])('stops the start: of %s', async (_, taken, place) => {
    expect(await refusalOf(taken, AT)).toBe(
      `FILE:1:1 Things.add takes the ${place} as ${(taken[1] as Type<object>).name}, whose decorators and methods they would lack; take each with a parameter of its own.`,
    );
  });

  it.each<[string, Taken, object, unknown]>([
    ['that is only a type', whole(Plain), OWNER, { id: 7 }],
    ['that a pipe makes', [Body(new Instances()), Shouting], AT, { at: 'x' }],
    ['of items with methods', [Body(new ParseArrayPipe({ items: Shouting })), Array], ITEMS, [{ at: 'x' }]],
    ['that is a list', whole(Array), ITEMS, [{ at: 'x' }]],
  ])('starts: %s', async (_, taken, body, sent) => {
    const { api } = await startTaking(taken, body);
    expect(await api.post('/v1/things', sent)).toMatchObject({ status: 201, json: { seen: JSON.stringify(sent) } });
  });
});
