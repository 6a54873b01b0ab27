import { describe, expect, it } from '@jest/globals';
import { Body, type Type } from '@nestjs/common';
import { Transform, Type as TypeOf } from 'class-transformer';
import {
  ArrayContains,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotContains,
  ArrayNotEmpty,
  ArrayUnique,
  Equals,
  IsAlphanumeric,
  IsArray,
  IsBoolean,
  IsByteLength,
  IsDate,
  IsDateString,
  IsDecimal,
  IsDefined,
  IsDivisibleBy,
  IsEmail,
  IsEmpty,
  IsEnum,
  IsHexColor,
  IsIdentityCard,
  IsIn,
  IsInstance,
  IsInt,
  IsISO4217CurrencyCode,
  IsLatitude,
  IsLongitude,
  IsMongoId,
  IsNotEmpty,
  IsNotEmptyObject,
  IsNotIn,
  IsNumber,
  IsNumberString,
  IsObject,
  IsOptional,
  IsPhoneNumber,
  IsPort,
  IsPositive,
  IsPostalCode,
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
  NotEquals,
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

/** What TypeScript emits for the type of the member. */
const asType =
  (type: unknown): PropertyDecorator =>
  (target, name) =>
    Reflect.defineMetadata('design:type', type, target, name);

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
const orNull = (schema: object) => ({ anyOf: [schema, { ...TEXT, nullable: true, enum: [null] }] });
const nested = [ValidateNested(), TypeOf(() => Owner)];
const nestedEach = [ValidateNested({ each: true }), TypeOf(() => Owner)];
const lowerCase = Transform(({ value }) => (value as string | null)?.toLowerCase() ?? null);
const asBigint = Transform(({ value }) => (typeof value === 'number' ? BigInt(value) : (value as unknown)));

describe('a rule of class-validator that refuses what the contract accepts', () => {
  it.each<[string, Type<object>, object, string]>([
    ['a maximum', dto(Max(500)), { ...INTEGER, maximum: 1000 }, '1000 here, but the rule max'],
    ['a minimum', dto(IsPositive()), { ...INTEGER, minimum: 0 }, '0 here, but the rule isPositive'],
    [
      'a bound of text',
      dto(
        TypeOf(() => Number),
        Min(1),
      ),
      { ...INTEGER, minimum: 0 },
      '0 here, but the rule min',
    ],
    [
      'an integer beside an excluded bound',
      dto(Max(500)),
      { ...INTEGER, maximum: 1000, exclusiveMaximum: true },
      '999 here, but the rule max',
    ],
    ['a bound of items', dto(Max(5, { each: true })), listOf({ ...INTEGER, maximum: 9 }), '[9] here, but the rule max'],
    ['a value of an enumeration', dto(IsIn(['a'])), { ...TEXT, enum: ['a', 'b'] }, '"b" here, but the rule isIn'],
    ['a number of an enumeration', dto(IsIn([1])), { ...INTEGER, enum: [1, 2] }, '2 here, but the rule isIn'],
    [
      'the longest text',
      dto(MaxLength(20)),
      { ...TEXT, maxLength: 30 },
      'a text of 30 characters here, but the rule maxLength',
    ],
    [
      'the longest number',
      dto(Length(1, 9)),
      { ...TEXT, pattern: '^[0-9]+$', maxLength: 30 },
      'a text of 30 characters here, but the rule isLength',
    ],
    [
      'an endless text',
      dto(MaxLength(9)),
      { ...TEXT, maxLength: 1e9 },
      'a text of 10000 characters here, but the rule maxLength',
    ],
    [
      'the shortest text',
      dto(MinLength(3)),
      { ...TEXT, minLength: 2 },
      'a text of 2 characters here, but the rule minLength',
    ],
    [
      'a list that is a Set in the DTO',
      dto(
        asType(Set),
        TypeOf(() => String),
        IsArray(),
      ),
      listOf(TEXT),
      'a list (in the DTO a Set) here, but the rule isArray',
    ],
    [
      'an object that is a Map in the DTO',
      dto(asType(Map), ...nestedEach, ArrayNotEmpty()),
      { type: 'object', additionalProperties: OBJECT },
      'an object (in the DTO a Map) here, but the rule arrayNotEmpty',
    ],
    [
      'a text of wide characters',
      dto(IsByteLength(0, 5)),
      { ...TEXT, maxLength: 5 },
      'a text of 5 characters such as "é" here, but the rule isByteLength',
    ],
    ['a fraction', dto(IsInt()), NUMBER, '0.5 here, but the rule isInt'],
    ['a fraction in bounds', dto(IsInt()), { ...NUMBER, minimum: 3, maximum: 4 }, '3.5 here, but the rule isInt'],
    ['a fraction in a list', dto(IsInt({ each: true })), listOf(NUMBER), '[0.5] here, but the rule isInt'],
    [
      'an empty text',
      dto(IsNotEmpty()),
      { ...TEXT, minLength: 0 },
      'a text of 0 characters here, but the rule isNotEmpty',
    ],
    [
      'the longest text of several parts',
      dto(MaxLength(10)),
      {
        allOf: [
          { ...TEXT, maxLength: 30 },
          { ...TEXT, maxLength: 20 },
        ],
      },
      'a text of 20 characters here, but the rule maxLength',
    ],
    [
      'the longest item',
      dto(MaxLength(20, { each: true })),
      listOf({ ...TEXT, maxLength: 30 }),
      'a list with a text of 30 characters here, but the rule maxLength',
    ],
    [
      'the longest list',
      dto(ArrayMaxSize(2)),
      { ...listOf(OBJECT), maxItems: 3 },
      'a list of 3 items here, but the rule arrayMaxSize',
    ],
    [
      'an empty list',
      dto(ArrayNotEmpty()),
      { ...listOf(INTEGER), minItems: 0 },
      'a list of 0 items here, but the rule arrayNotEmpty',
    ],
    ['false', dto(Equals(true)), FLAG, 'false here, but the rule equals'],
    ['false in a list', dto(IsIn([true], { each: true })), listOf(FLAG), '[false] here, but the rule isIn'],
    ['a bound that it excepts', dto(NotEquals(0)), { ...INTEGER, minimum: 0 }, '0 here, but the rule notEquals'],
    ['a bound among exceptions', dto(IsNotIn([0, 5])), { ...INTEGER, minimum: 0 }, '0 here, but the rule isNotIn'],
    [
      'a number above an excluded bound',
      dto(Min(5)),
      { ...NUMBER, minimum: 0, exclusiveMinimum: true },
      '0.000001 here, but the rule min',
    ],
    [
      'a number below an excluded bound',
      dto(Max(500)),
      { ...NUMBER, minimum: 0, maximum: 1000, exclusiveMaximum: true },
      '999.999 here, but the rule max',
    ],
    ['a bound of a range', dto(IsLongitude()), { ...NUMBER, maximum: 360 }, '360 here, but the rule isLongitude'],
    ['a multiple', dto(IsDivisibleBy(10)), { ...INTEGER, multipleOf: 5 }, '5 here, but the rule isDivisibleBy'],
    [
      'a multiple beyond a bound',
      dto(IsDivisibleBy(10)),
      { ...INTEGER, multipleOf: 5, minimum: 98 },
      '105 here, but the rule isDivisibleBy',
    ],
    [
      'the digits of a multiple',
      dto(IsNumber({ maxDecimalPlaces: 2 })),
      { ...NUMBER, multipleOf: 0.001 },
      '0.001 here, but the rule isNumber',
    ],
    ['a fraction', dto(IsInt()), { ...NUMBER, multipleOf: 0.5 }, '0.5 here, but the rule isInt'],
    ['an example', dto(IsUrl()), { ...TEXT, example: 'my site' }, '"my site" here, but the rule isUrl'],
    [
      'an example of items',
      dto(IsUrl({}, { each: true })),
      listOf({ ...TEXT, example: 'a' }),
      '["a"] here, but the rule isUrl',
    ],
    [
      'an example of a list',
      dto(ArrayMinSize(2)),
      { ...listOf(TEXT), example: ['a'] },
      '["a"] here, but the rule arrayMinSize',
    ],
    ['a number for a decimal text', dto(IsDecimal()), NUMBER, 'a number here, but the rule isDecimal'],
    ['a number for a port', dto(IsPort()), INTEGER, 'a number here, but the rule isPort'],
    ['a number for letters', dto(IsAlphanumeric()), INTEGER, 'a number here, but the rule isAlphanumeric'],
    ['a number for a postal code', dto(IsPostalCode('any')), INTEGER, 'a number here, but the rule isPostalCode'],
    [
      'numbers for colours',
      dto(IsHexColor({ each: true })),
      listOf(INTEGER),
      'a list with a number here, but the rule isHexColor',
    ],
    ['a number for nothing', dto(IsEmpty()), INTEGER, 'a number here, but the rule isEmpty'],
    ['a number for texts of a set', dto(IsIn(['a'])), INTEGER, 'a number here, but the rule isIn'],
    ['a text for numbers of a set', dto(IsIn([1, 2])), TEXT, 'text here, but the rule isIn'],
    ['a text for a class', dto(IsInstance(Owner)), TEXT, 'text here, but the rule isInstance'],
    ['an object of no class', dto(IsInstance(Owner)), OBJECT, 'an object here, but the rule isInstance'],
    ['a boolean for a list', dto(ArrayContains(['a'])), FLAG, 'a boolean here, but the rule arrayContains'],
    ['a number', dto(IsNumberString()), NUMBER, 'a number here, but the rule isNumberString'],
    ['a number in bounds', dto(IsString()), { ...INTEGER, minimum: 5 }, 'a number here, but the rule isString'],
    ['a number for a rule of texts', dto(MaxLength(3)), INTEGER, 'a number here, but the rule maxLength'],
    ['an int64', dto(IsInt()), INT64, 'a bigint here, but the rule isInt'],
    ['a bigint', dto(Int64Field(), Min(1)), INT64, 'a bigint here, but the rule min'],
    ['an integer as a bigint', dto(asBigint, IsInt()), INTEGER, 'a bigint here, but the rule isInt'],
    ['a boolean', dto(IsNumber()), FLAG, 'a boolean here, but the rule isNumber'],
    ['an object', dto(IsString()), OBJECT, 'an object here, but the rule isString'],
    ['an object of a class', dto(...nested, IsString()), OBJECT, 'an object here, but the rule isString'],
    [
      'the items of a list',
      dto(IsString({ each: true })),
      listOf(INTEGER),
      'a list with a number here, but the rule isString',
    ],
    [
      'texts in a list',
      dto(IsInt({ each: true })),
      listOf({ ...TEXT, format: 'uuid' }),
      'a list with text here, but the rule isInt',
    ],
    ['text in one alternative', dto(IsInt()), { oneOf: [TEXT, INTEGER] }, 'text here, but the rule isInt'],
    [
      'a number in one alternative',
      dto(IsString()),
      { oneOf: [TEXT, INTEGER] },
      'a number here, but the rule isString',
    ],
    ['a text', dto(IsInt()), { ...TEXT, pattern: '^[A-Z]+$' }, 'text here, but the rule isInt'],
    ['a text for a rule of numbers', dto(Max(5)), TEXT, 'text here, but the rule max'],
    ['a text that nothing makes a Date', dto(IsDate()), { ...TEXT, format: 'date' }, 'text here, but the rule isDate'],
    [
      'a text that is made a Date',
      dto(
        TypeOf(() => Date),
        IsDateString(),
      ),
      { ...TEXT, format: 'date' },
      'a Date here, but the rule isDateString',
    ],
    [
      'a text of another form',
      dto(IsEmail()),
      { ...TEXT, format: 'uuid' },
      '"8e03978e-40d5-43dd-bc93-6894a57f9324" here, but the rule isEmail',
    ],
    [
      'a text of another form, in a list',
      dto(IsUUID('4', { each: true })),
      listOf({ ...TEXT, format: 'email' }),
      '["a@example.com"] here, but the rule isUuid',
    ],
    [
      'a text of another form, beside null',
      dto(IsOptional(), IsUUID()),
      orNull({ ...TEXT, format: 'email' }),
      '"a@example.com" here, but the rule isUuid',
    ],
    [
      'a text of another form, in a list beside null',
      dto(IsOptional(), IsEmail({}, { each: true })),
      orNull({ ...listOf({ ...TEXT, format: 'date' }), minItems: 2 }),
      '["2030-12-05","2030-12-05"] here, but the rule isEmail',
    ],
    [
      'the length of every uuid',
      dto(MaxLength(30)),
      { ...TEXT, format: 'uuid' },
      '"8e03978e-40d5-43dd-bc93-6894a57f9324" here, but the rule maxLength',
    ],
    [
      'the length of every date',
      dto(MinLength(11)),
      { ...TEXT, format: 'date' },
      '"2030-12-05" here, but the rule minLength',
    ],
    [
      'the longest text beside null',
      dto(IsOptional(), MaxLength(20)),
      orNull({ ...TEXT, maxLength: 30 }),
      'a text of 30 characters here, but the rule maxLength',
    ],
    [
      'the shortest text of a part that may be null',
      dto(IsOptional(), MinLength(3)),
      { allOf: [orNull({ ...TEXT, minLength: 2 })] },
      'a text of 2 characters here, but the rule minLength',
    ],
    [
      'the longest list beside null',
      dto(IsOptional(), ArrayMaxSize(2)),
      orNull({ ...listOf(OBJECT), maxItems: 3 }),
      'a list of 3 items here, but the rule arrayMaxSize',
    ],
  ])('stops the start: %s', async (_, type, value, refused) => {
    expect(await startRefusal(start(type, value))).toBe(
      `FILE:1:1 value may be ${refused} in Dto refuses that; loosen the rule there, or forbid that here.`,
    );
  });

  it.each<[string, Type<object>, object, string]>([
    ['a number', dto(IsNumber({ maxDecimalPlaces: 2 })), NUMBER, '1e-7'],
    [
      'a list of negative numbers',
      dto(IsNumber({ maxDecimalPlaces: 9 }, { each: true })),
      listOf({ ...NUMBER, maximum: 0 }),
      '[-1e-7]',
    ],
    [
      'a position',
      dto(IsNumber({ maxDecimalPlaces: 6 }, { each: true })),
      { ...listOf(NUMBER), minItems: 3, maxItems: 3 },
      '[1e-7,1,2]',
    ],
    [
      'two numbers that differ, from zero to one',
      dto(IsNumber({ maxDecimalPlaces: 6 }, { each: true })),
      { ...listOf({ ...NUMBER, minimum: 0, maximum: 0.5 }), minItems: 2, uniqueItems: true },
      '[1e-7,2e-7]',
    ],
    [
      'a number from a bound with an exponent',
      dto(IsNumber({ maxDecimalPlaces: 9 })),
      { ...NUMBER, minimum: 2e-7 },
      '2e-7',
    ],
  ])('stops the start: it counts the digits of %s, and would fail for an exponent', async (_, type, value, refused) => {
    expect(await startRefusal(start(type, value))).toBe(
      `FILE:1:1 value may be ${refused} here, but the rule isNumber in Dto refuses that; replace its maxDecimalPlaces by "multipleOf" here, or forbid that here.`,
    );
  });

  it.each<[string, Type<object>, object]>([
    ['isString', dto(IsString()), TEXT],
    ['isEnum', dto(IsEnum({ Red: 'red' })), { ...TEXT, enum: ['red'] }],
    ['isIn', dto(IsIn(['red'])), { ...TEXT, enum: ['red'] }],
    ['equals', dto(Equals(['red'])), TEXT],
    ['isMongoId', dto(IsMongoId()), TEXT],
    ['isPhoneNumber', dto(IsPhoneNumber('CH')), TEXT],
    ['isISO4217CurrencyCode', dto(IsISO4217CurrencyCode()), TEXT],
    ['matches', dto(Matches(/^a$/)), TEXT],
    ['isObject', dto(IsObject()), OBJECT],
    ['isString', dto(...nestedEach, IsString()), OBJECT],
  ])('stops the start: a list, for %s', async (rule, type, items) => {
    expect(await startRefusal(start(type, listOf(items)))).toBe(
      `FILE:1:1 value may be a list here, but the rule ${rule} in Dto refuses that; give the rule { each: true } there, or forbid that here.`,
    );
  });

  it.each<[string, Type<object>, object, string]>([
    ['null', dto(IsString()), { ...TEXT, nullable: true }, 'isString'],
    ['null after a conversion', dto(lowerCase, IsString()), { ...TEXT, nullable: true }, 'isString'],
    ['null for an object', dto(...nested), { ...OBJECT, nullable: true }, 'nestedValidation'],
  ])('stops the start: %s', async (_, type, value, rule) => {
    expect(await startRefusal(start(type, value))).toBe(
      `FILE:1:1 value may be null here, but the rule ${rule} in Dto refuses that; add @IsOptional() there, or forbid null here.`,
    );
  });

  it.each<[string, Type<object>, object, string, string]>([
    ['text', dto(IsString({ each: true })), TEXT, 'isString', 'loosen the rule there'],
    [
      'objects',
      dto(
        ValidateNested({ each: true }),
        TypeOf(() => Owner),
      ),
      OBJECT,
      'nestedValidation',
      'take it with @IsArray() alone there',
    ],
  ])('stops the start: null in a list of %s', async (_, type, items, rule, advice) => {
    expect(await startRefusal(start(type, listOf({ ...items, nullable: true })))).toBe(
      `FILE:1:1 value may be a list with null here, but the rule ${rule} in Dto refuses that; ${advice}, or forbid null here.`,
    );
  });

  it.each<[string, Type<object>, object]>([
    ['optional', dto(IsString()), TEXT],
    [
      'made only when it is sent',
      dto(
        Transform(({ value }) => (value as string) ?? 'none'),
        IsString(),
      ),
      TEXT,
    ],
    ['read-only', dto(IsString()), { ...TEXT, readOnly: true }],
  ])('stops the start: a member is missing that is %s', async (_, type, value) => {
    expect(await startRefusal(start(type, value, { isRequired: false }))).toBe(
      'FILE:1:1 value may be missing here, but the rule isString in Dto refuses that; add @IsOptional() there, or require it here.',
    );
  });

  it('stops the start for a default, which each request without the member would have', async () => {
    const refusal = await startRefusal(start(dto(Max(10)), { ...INTEGER, default: 20 }, { isRequired: false }));
    expect(refusal).toContain('value may be 20 here, but the rule max in Dto refuses that;');
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
  const sameAsOther = (target: object, propertyName: string | symbol) =>
    registerDecorator({
      name: 'matches',
      target: target.constructor,
      propertyName: propertyName as string,
      validator: { validate: (value, args) => value === (args!.object as { other: string }).other }, // always given
    });
  const isOther = (one: object) => (one as { other: string }).other !== 'x';
  const hasOther = (one: object) => !Object.hasOwn(one, 'other');
  const converts = (convert: (value: never) => unknown) => Transform(({ value }) => convert(value as never));
  const optional = { isRequired: false };

  it.each<[string, Type<object>, object, Declared?]>([
    ['is equal to it', dto(IsInt(), Min(1), Max(1000)), { ...INTEGER, minimum: 1, maximum: 1000 }],
    ['has the length of every uuid', dto(Length(36, 36)), { ...TEXT, format: 'uuid' }],
    ['narrows the length of a format', dto(MinLength(24), MaxLength(24)), { ...TEXT, format: 'date-time' }],
    [
      'has the form of a list beside null',
      dto(IsOptional(), IsEmail({}, { each: true })),
      orNull(listOf({ ...TEXT, format: 'email' })),
    ],
    ['has the length beside null', dto(IsOptional(), Length(2, 30)), orNull({ ...TEXT, minLength: 2, maxLength: 30 })],
    [
      'narrows the length of one of two alternatives',
      dto(MaxLength(8)),
      {
        oneOf: [
          { ...TEXT, maxLength: 8, pattern: '^a' },
          { ...TEXT, maxLength: 30, pattern: '^b.{0,6}$' },
        ],
      },
    ],
    [
      'has the size of items beside null that must differ',
      dto(IsOptional(), ArrayMaxSize(2)),
      orNull({ ...listOf(FLAG), maxItems: 3, uniqueItems: true }),
    ],
    ['is for a list that may have null', dto(IsArray()), listOf({ ...OBJECT, nullable: true })],
    ['counts the bytes of ASCII', dto(IsByteLength(0, 5)), { ...TEXT, maxLength: 5, pattern: '^[a-z]*$' }],
    ['takes integers of a number', dto(IsInt()), { ...NUMBER, multipleOf: 1 }],
    [
      'is for a Set',
      dto(
        asType(Set),
        TypeOf(() => String),
        IsInstance(Set),
        IsString({ each: true }),
      ),
      listOf(TEXT),
    ],
    ['excludes the same bounds', dto(Min(0), Max(1)), { ...NUMBER, minimum: 0, exclusiveMinimum: true, maximum: 1 }],
    ['excludes a bound as well', dto(IsPositive()), { ...NUMBER, minimum: 0, exclusiveMinimum: true }],
    ['narrows where it has no bound', dto(IsInt(), Min(18), Max(99)), INTEGER],
    ['is equal to an excluded bound', dto(Max(999)), { ...INTEGER, maximum: 1000, exclusiveMaximum: true }],
    [
      'has the size of lists too long to try',
      dto(ArrayMinSize(20_000), IsString({ each: true })),
      { ...listOf(TEXT), minItems: 20_000 },
    ],
    ['has the length of texts too long to try', dto(MinLength(200_000)), { ...TEXT, minLength: 200_000 }],
    [
      'narrows an alternative',
      dto(MaxLength(5)),
      {
        oneOf: [
          { ...TEXT, maxLength: 9 },
          { ...TEXT, pattern: '^.{10}$' },
        ],
      },
    ],
    [
      'applies to one of two types',
      dto(
        ValidateIf((_, value) => typeof value === 'string'),
        IsString(),
      ),
      { oneOf: [TEXT, INTEGER] },
    ],
    ['has the length that a pattern demands', dto(Length(3, 3)), { ...TEXT, pattern: '^[A-Z]{3}$', maxLength: 100 }],
    ['has the length of an enumeration', dto(MaxLength(1)), { ...TEXT, enum: ['a', 'b'], maxLength: 10 }],
    ['has the length of a format', dto(Length(10, 10)), { ...TEXT, format: 'date', minLength: 1, maxLength: 32 }],
    [
      'has the size of items that must differ',
      dto(ArrayMaxSize(2)),
      { ...listOf(FLAG), maxItems: 9, uniqueItems: true },
    ],
    ['has the name of another rule, and reads another member', dto(sameAsOther), { ...TEXT, example: 'secret' }],
    ['narrows at the other end', dto(Max(5)), { ...INTEGER, minimum: 1 }],
    ['narrows numbers to some', dto(IsIn([10, 20])), { ...INTEGER, minimum: 1 }],
    ['counts the digits of a multiple', dto(IsNumber({ maxDecimalPlaces: 2 })), { ...NUMBER, multipleOf: 0.01 }],
    ['narrows multiples', dto(Min(10)), { ...INTEGER, multipleOf: 5 }],
    ['narrows an int64', dto(Int64Field(), IsIn([1n, 2n])), INT64],
    ['narrows a text', dto(IsString(), Matches(/^[A-Z]{2}$/), MaxLength(2), IsIn(['DE'])), TEXT],
    ['narrows texts in a list', dto(IsUUID('4', { each: true }), MinLength(5, { each: true })), listOf(TEXT)],
    ['narrows a list', dto(ArrayContains(['a']), ArrayMaxSize(1)), listOf({ ...TEXT, enum: ['a', 'b'] })],
    ['chooses among the values of a range', dto(IsDivisibleBy(10)), { ...INTEGER, minimum: 1 }],
    ['excepts a value within bounds', dto(NotEquals(5)), { ...INTEGER, minimum: 0 }],
    ['narrows a text to a rare form', dto(IsMongoId(), IsIdentityCard('ES')), TEXT],
    ['narrows a text to none', dto(IsEmpty()), TEXT],
    ['takes numbers of an enumeration', dto(IsEnum({ Low: 20, 20: 'Low' })), INTEGER],
    ['takes a number or a text', dto(IsLatitude()), { oneOf: [TEXT, NUMBER] }],
    ['takes some of either', dto(IsIn(['a', 7_000_001])), { oneOf: [TEXT, INTEGER] }],
    ['has more items than usual', dto(ArrayMinSize(1000)), listOf(INTEGER)],
    ['excepts lists', dto(ArrayNotContains(['a']), ArrayUnique(), IsNotIn([1]), NotEquals(1)), listOf(TEXT)],
    ['takes an object of a class', dto(...nested, IsInstance(Owner), IsNotEmptyObject()), OBJECT],
    ['takes objects of a class', dto(...nestedEach, IsInstance(Owner, { each: true }), IsArray()), listOf(OBJECT)],
    ['takes a boolean', dto(IsIn([true, false])), FLAG],
    ['takes the only boolean', dto(Equals(true)), { ...FLAG, enum: [true] }],
    [
      'is later than an example',
      dto(
        TypeOf(() => Date),
        MinDate(new Date('2100-01-01')),
      ),
      { ...TEXT, format: 'date', example: '2020-01-01' },
    ],
    [
      'applies to numbers of one text',
      dto(
        ValidateIf((_, value) => typeof value === 'number'),
        Max(5),
      ),
      { oneOf: [TEXT, INTEGER] },
    ],
    [
      'applies to some texts',
      dto(
        ValidateIf((_, value) => typeof value === 'string'),
        Matches(/^zz$/),
      ),
      { oneOf: [TEXT, INTEGER] },
    ],
    [
      'sees the text of a list',
      dto(
        converts((list: string[]) => list.join()),
        IsString(),
      ),
      listOf(TEXT),
    ],
    ['narrows a text to a form', dto(IsUrl({ protocols: ['ftp'] })), { ...TEXT, format: 'uri' }],
    ['narrows to one version of a format', dto(IsUUID('7')), { ...TEXT, format: 'uuid' }],
    ['does not see nothing', dto(IsOptional(), IsString()), { ...TEXT, nullable: true }, optional],
    ['sees the default', dto(IsDefined(), IsInt()), { ...INTEGER, default: 5 }, optional],
    ['sees a list', dto(IsArray(), IsInt({ each: true }), ArrayMaxSize(1)), listOf(INTEGER)],
    ['sees what a conversion makes of text', dto(converts(Number), IsInt(), Max(3)), TEXT],
    [
      'sees what a conversion makes of a long text',
      dto(
        converts((text: string) => text.split(',')),
        MaxLength(20, { each: true }),
      ),
      { ...TEXT, maxLength: 200 },
    ],
    ['sees a conversion of what was sent', dto(IsOptional(), converts(Number), IsInt()), TEXT, optional],
    [
      'sees a Set',
      dto(
        converts((list: string[]) => new Set(list)),
        IsString({ each: true }),
      ),
      listOf(TEXT),
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
    ['depends on another member', dto(ValidateIf(isOther), IsBoolean()), { ...TEXT, nullable: true }, optional],
    ['asks for another member', dto(ValidateIf(hasOther), IsString()), { ...TEXT, nullable: true }, optional],
    ['applies only under a condition', dto(IsBoolean({ validateIf: isOther })), INTEGER],
    ['is of the application', dto(evenOnly), { ...INTEGER, enum: [1, 2] }],
    ['reads text as an object', dto(...nested), OBJECT],
    [
      'reads text as JSON',
      dto(
        ...nested,
        converts((text: string) => Object.assign(new Owner(), JSON.parse(text))),
      ),
      TEXT,
    ],
  ])('starts: it %s', async (_, ...declared) => {
    expect(await start(...declared)).toBeDefined();
  });

  it('starts: each alternative requires the member', async () => {
    const alternative = (kind: string) => ({
      type: 'object',
      required: ['kind'],
      properties: { kind: { ...TEXT, enum: [kind] } },
    });
    class Kinds {
      kind: string;
    }
    IsIn(['cat', 'dog'])(Kinds.prototype, 'kind');
    expect(await startTaking([Body(), Kinds], { oneOf: [alternative('cat'), alternative('dog')] })).toBeDefined();
  });
});

describe('a rule that lists the values of a long enumeration', () => {
  const values = Array.from({ length: 300 }, (_, index) => `value ${index}`);
  const enumOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));
  const withoutOne = values.filter((value) => value !== 'value 150');
  const either = { ...TEXT, enum: values };
  /** A rule of the application with a name of class-validator, which refuses what it lists. */
  const excluding: PropertyDecorator = (target, propertyName) =>
    registerDecorator({
      name: 'isIn',
      target: target.constructor,
      propertyName: String(propertyName),
      constraints: [values],
      validator: { validate: (value: string) => !values.includes(value) },
    });

  it.each<[string, Type<object>, object, string]>([
    ['isEnum', dto(IsEnum(enumOf(withoutOne))), either, '"value 150" here, but the rule isEnum'],
    ['isIn', dto(IsIn(withoutOne)), either, '"value 150" here, but the rule isIn'],
    ['isIn in a list', dto(IsIn(withoutOne, { each: true })), listOf(either), '["value 150"] here, but the rule isIn'],
    ['isIn for a list', dto(IsIn(values)), listOf(either), 'a list here, but the rule isIn'],
    ['isIn of the application', dto(excluding), either, '"value 0" here, but the rule isIn'],
  ])('stops the start if it lacks one: %s', async (_, type, value, reason) => {
    expect(await startRefusal(start(type, value))).toContain(`value may be ${reason}`);
  });

  it.each<[string, Type<object>, object, unknown]>([
    ['isEnum', dto(IsEnum(enumOf(values))), either, 'value 150'],
    ['isIn', dto(IsIn(values)), either, 'value 150'],
    ['isIn in a list', dto(IsIn(values, { each: true })), listOf(either), ['value 150', 'value 0']],
  ])('starts if it lists all: %s', async (_, type, schema, value) => {
    const { api } = await start(type, schema);
    expect((await api.post('/v1/things', { value, other: 'a' })).status).toBe(201);
    expect((await api.post('/v1/things', { value: [value].flat().concat('b'), other: 'a' })).status).toBe(400);
  });

  it('does not search the list for each value', async () => {
    let searches = 0;
    const counted = new Proxy(enumOf(values), {
      ownKeys: (target) => {
        searches += 1;
        return Reflect.ownKeys(target);
      },
    });
    await start(dto(IsEnum(counted)), either);
    expect(searches).toBeGreaterThan(0);
    expect(searches).toBeLessThan(values.length / 10);
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
