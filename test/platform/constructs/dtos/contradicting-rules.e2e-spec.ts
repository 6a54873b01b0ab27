import { describe, expect, it } from '@jest/globals';
import { Body, type Type } from '@nestjs/common';
import { Transform, Type as TypeOf } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsDate,
  IsDateString,
  IsDefined,
  IsEmail,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsNumberString,
  IsOptional,
  IsPositive,
  IsString,
  IsUrl,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinDate,
  MinLength,
  registerDecorator,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { Int64Field } from '../../../../src/platform/validation/fields.js';
import { type StartedApp, startRefusal } from '../../../support/start-app.js';
import { startTaking } from '../taking-body.js';

class Owner {
  @IsString()
  name: string;
}

/** A DTO with one member. */
function dto(...decorators: PropertyDecorator[]): Type<object> {
  class Dto {
    value?: unknown;
  }
  Reflect.defineMetadata('design:type', Object, Dto.prototype, 'value');
  for (const decorate of decorators) decorate(Dto.prototype, 'value');
  return Dto;
}

interface Declared {
  readonly isRequired?: boolean;
}

/** The application with a body that has this member, which its handler takes as this DTO. */
function start(type: Type<object>, value: object, { isRequired = true }: Declared = {}): Promise<StartedApp> {
  const other = { type: 'string' };
  const required = isRequired ? ['value', 'other'] : ['other'];
  return startTaking([Body(), withOther(type)], { type: 'object', required, properties: { value, other } });
}

/** The DTO with a further member, for rules that depend on one. */
function withOther(type: Type<object>): Type<object> {
  IsString()(type.prototype as object, 'other');
  return type;
}

const TEXT = { type: 'string' };
const INTEGER = { type: 'integer', format: 'int32' };
const INT64 = { type: 'integer', format: 'int64' };
const NUMBER = { type: 'number' };
const FLAG = { type: 'boolean' };
const OBJECT = { type: 'object', properties: { name: TEXT }, required: ['name'] };
const listOf = (items: object) => ({ type: 'array', items });
const nested = [ValidateNested(), TypeOf(() => Owner)];
const asBigint = Transform(({ value }) => (typeof value === 'number' ? BigInt(value) : (value as unknown)));

describe('a rule of class-validator that refuses what the contract accepts', () => {
  it.each<[string, Type<object>, object, string]>([
    ['a maximum', dto(Max(500)), { ...INTEGER, maximum: 1000 }, '1000 here, but the rule max'],
    ['a minimum', dto(IsPositive()), { ...INTEGER, minimum: 0 }, '0 here, but the rule isPositive'],
    [
      'a maximum of items',
      dto(Max(5, { each: true })),
      listOf({ ...INTEGER, maximum: 9 }),
      '[9] here, but the rule max',
    ],
    ['a value of an enumeration', dto(IsIn(['a'])), { ...TEXT, enum: ['a', 'b'] }, '"b" here, but the rule isIn'],
    [
      'the longest text',
      dto(MaxLength(20)),
      { ...TEXT, maxLength: 30 },
      `"${'a'.repeat(30)}" here, but the rule maxLength`,
    ],
    [
      'a long text',
      dto(Length(1, 20)),
      { ...TEXT, maxLength: 255 },
      'text of 255 characters here, but the rule isLength',
    ],
    ['the shortest text', dto(MinLength(3)), { ...TEXT, minLength: 2 }, '"aa" here, but the rule minLength'],
    ['an empty text', dto(IsNotEmpty()), { ...TEXT, minLength: 0 }, '"" here, but the rule isNotEmpty'],
    [
      'the longest list',
      dto(ArrayMaxSize(2)),
      { ...listOf(INTEGER), maxItems: 3 },
      '[7, 7, 7] here, but the rule arrayMaxSize',
    ],
    ['an empty list', dto(ArrayNotEmpty()), { ...listOf(INTEGER), minItems: 0 }, '[] here, but the rule arrayNotEmpty'],
    ['null', dto(IsString()), { ...TEXT, nullable: true }, 'null here, but the rule isString'],
    ['null for an object', dto(...nested), { ...OBJECT, nullable: true }, 'null here, but the rule nestedValidation'],
    [
      'null in a list',
      dto(IsString({ each: true })),
      listOf({ ...TEXT, nullable: true }),
      '[null] here, but the rule isString',
    ],
    ['a number', dto(IsNumberString()), NUMBER, '1.5 here, but the rule isNumberString'],
    ['a fraction', dto(IsInt()), NUMBER, '1.5 here, but the rule isInt'],
    ['a bigint', dto(Int64Field(), Min(1)), INT64, '9007199254740993 here, but the rule min'],
    ['an integer as a bigint', dto(asBigint, IsInt()), INTEGER, '7 here, but the rule isInt'],
    ['a boolean', dto(IsNumber()), FLAG, 'true here, but the rule isNumber'],
    ['an object', dto(IsString()), OBJECT, 'an object here, but the rule isString'],
    ['a list', dto(IsString()), listOf(TEXT), '["text"] here, but the rule isString'],
    ['the items of a list', dto(IsString({ each: true })), listOf(INTEGER), '[7] here, but the rule isString'],
    ['a text', dto(IsInt()), TEXT, '"text" here, but the rule isInt'],
    ['a text for a rule of numbers', dto(Max(5)), TEXT, '"text" here, but the rule max'],
    [
      'a text that nothing makes a Date',
      dto(IsDate()),
      { ...TEXT, format: 'date' },
      '"2030-12-05" here, but the rule isDate',
    ],
    [
      'a text that is made a Date',
      dto(
        TypeOf(() => Date),
        IsDateString(),
      ),
      { ...TEXT, format: 'date' },
      '"2030-12-05" here, but the rule isDateString',
    ],
    [
      'a text of another form',
      dto(IsEmail()),
      { ...TEXT, format: 'uuid' },
      '"8e03978e-40d5-43dd-bc93-6894a57f9324" here, but the rule isEmail',
    ],
  ])('stops the start: %s', async (_, type, value, refused) => {
    await expect(startRefusal(start(type, value))).resolves.toMatch(
      `FILE:1:1 value may be ${refused} in Dto refuses that;`,
    );
  });

  it('stops the start with advice for null, for nothing, and for other values', async () => {
    const [ofNull, ofNothing, ofOther] = await Promise.all([
      startRefusal(start(dto(IsString()), { ...TEXT, nullable: true })),
      startRefusal(start(dto(IsString()), TEXT, { isRequired: false })),
      startRefusal(start(dto(Max(500)), { ...INTEGER, maximum: 1000 })),
    ]);
    expect({ ofNull, ofNothing, ofOther }).toEqual({
      ofNull:
        'FILE:1:1 value may be null here, but the rule isString in Dto refuses that; add @IsOptional() there, or forbid that here.',
      ofNothing:
        'FILE:1:1 value may be missing here, but the rule isString in Dto refuses that; add @IsOptional() there, or require it here.',
      ofOther:
        'FILE:1:1 value may be 1000 here, but the rule max in Dto refuses that; change the rule there, or forbid that here.',
    });
  });

  it('stops the start for a default, which each request without the member would have', async () => {
    const refusal = await startRefusal(start(dto(Max(10)), { ...INTEGER, default: 20 }, { isRequired: false }));
    expect(refusal).toContain('value may be 20 here, but the rule max in Dto refuses that;');
  });

  it('stops the start for a member that no valid request contains', async () => {
    const refusal = await startRefusal(start(dto(IsString()), { ...TEXT, readOnly: true }));
    expect(refusal).toContain('value may be missing here, but the rule isString in Dto refuses that;');
  });
});

describe('a rule of class-validator that the contract does not contradict', () => {
  const evenOnly = (target: object, propertyName: string | symbol) =>
    registerDecorator({
      name: 'isEven',
      target: target.constructor,
      propertyName: propertyName as string,
      validator: { validate: (value) => typeof value === 'number' && value % 2 === 0 },
    });
  const isOther = (one: object) => (one as { other: string }).other !== 'x';

  it.each<[string, Type<object>, object, Declared?]>([
    ['is equal to it', dto(IsInt(), Min(1), Max(1000)), { ...INTEGER, minimum: 1, maximum: 1000 }],
    ['narrows where it has no bound', dto(IsInt(), Min(1)), INTEGER],
    ['narrows a text', dto(IsString(), Matches(/^[A-Z]{2}$/), MaxLength(2), IsIn(['DE'])), TEXT],
    ['narrows a text to a form', dto(IsUrl({ protocols: ['ftp'] })), { ...TEXT, format: 'uri' }],
    ['narrows to one version of a format', dto(IsUUID('7')), { ...TEXT, format: 'uuid' }],
    ['excludes a bound as well', dto(IsPositive()), { ...NUMBER, minimum: 0, exclusiveMinimum: true }],
    ['does not see nothing', dto(IsOptional(), IsString()), { ...TEXT, nullable: true }, { isRequired: false }],
    ['sees the default', dto(IsDefined(), IsInt()), { ...INTEGER, default: 5 }, { isRequired: false }],
    ['sees a list', dto(IsArray(), IsInt({ each: true }), ArrayMaxSize(1)), listOf(INTEGER)],
    [
      'sees what a conversion makes of text',
      dto(
        Transform(({ value }) => Number(value)),
        IsInt(),
        Max(3),
      ),
      TEXT,
    ],
    [
      'sees a Date',
      dto(
        TypeOf(() => Date),
        IsDate(),
        MinDate(new Date('2100-01-01')),
      ),
      { ...TEXT, format: 'date' },
    ],
    [
      'depends on another member',
      dto(ValidateIf(isOther), IsBoolean()),
      { ...TEXT, nullable: true },
      { isRequired: false },
    ],
    ['applies only under a condition', dto(IsBoolean({ validateIf: isOther })), INTEGER],
    ['is of the application', dto(evenOnly), { ...INTEGER, maximum: 3 }],
    ['reads text as an object', dto(...nested), OBJECT],
  ])('starts: it %s', async (_, ...declared) => {
    expect(await start(...declared)).toBeDefined();
  });
});

describe('a class for a member that may be no object', () => {
  it.each<[string, object, string]>([
    ['text', TEXT, 'string'],
    ['a list of text', listOf(TEXT), 'string'],
    ['an integer in one alternative', { oneOf: [OBJECT, INTEGER] }, 'integer'],
  ])('stops the start: %s', async (_, value, type) => {
    expect(await startRefusal(start(dto(...nested), value))).toBe(
      `FILE:1:1 value is of the type ${type} here, but Dto takes it as Owner; give it the type that it has, or convert it with a pipe, @Transform() or a field of the platform.`,
    );
  });
});
