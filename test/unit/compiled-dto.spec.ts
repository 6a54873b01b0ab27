import { describe, expect, it } from '@jest/globals';
import { BadRequestException, type Type, ValidationPipe } from '@nestjs/common';
import { Exclude, Expose, plainToInstance, Transform, Type as TypeOf } from 'class-transformer';
import * as rules from 'class-validator';
import * as fc from 'fast-check';
import { parse } from 'node:querystring';
import { readJson } from '../../src/platform/values/json-reader.js';
import { ListPetsQuery, NewPet, Pet } from '../../src/pets/pets.dto.js';
import { compileDto, type ReadDto } from '../../src/platform/validation/compile-dto.js';
import { writeCursor } from '../../src/platform/paging/cursor.js';
import { DtoPipe } from '../../src/platform/validation/dto.pipe.js';
import { writeJson } from '../support/contract/exact-json.js';
import { repetitions } from '../support/run/effort.js';

type Plain = Record<string, unknown>;
/** The result for an input: an instance, messages, or the name of the error that a rule throws. */
type Verdict = { readonly dto: unknown } | { readonly messages: unknown } | { readonly thrown: string };

const pipe = new DtoPipe();

function failure(error: unknown): Verdict {
  if (!(error instanceof BadRequestException)) return { thrown: (error as Error).name };
  return { messages: (error.getResponse() as { message: unknown }).message };
}

async function verdictOfPipe(metatype: Type<object>, plain: Plain): Promise<Verdict> {
  try {
    return { dto: await pipe.transform(plain, { type: 'body', metatype }) };
  } catch (error) {
    return failure(error);
  }
}

function verdictOfCompiled(read: ReadDto, plain: Plain): Verdict {
  try {
    return { dto: read(plain) };
  } catch (error) {
    return failure(error);
  }
}

function verdictOfClassValidator(type: Type<object>, plain: Plain): Verdict {
  try {
    const instance = plainToInstance(type, plain);
    const errors = rules.validateSync(instance, { whitelist: true, forbidUnknownValues: false });
    const messages = errors.flatMap(({ constraints = {} }) => Object.values(constraints));
    return messages.length > 0 ? { messages } : { dto: instance };
  } catch (error) {
    return failure(error);
  }
}

/**
 * The verdicts of the pipe, of the compiled form and of class-validator. `read` creates a new input for each, because
 * validation may change it.
 */
async function verdicts(type: Type<object>, readDto: ReadDto, read: () => Plain) {
  const theirs = verdictOfClassValidator(type, read());
  return {
    ours: await verdictOfPipe(type, read()),
    compiled: verdictOfCompiled(readDto, read()),
    theirs,
    // The compiled form only rejects; class-validator writes the messages.
    theirsWithoutMessages: 'messages' in theirs ? { dto: undefined } : theirs,
  };
}

/** Excludes members named like those of Object.prototype: class-transformer or Nest removes them. */
const isHarmless = (text: string) =>
  !['prototype', ...Object.getOwnPropertyNames(Object.prototype)].some((name) => text.includes(`"${name}"`));

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', ' ', 'a', 'ab', 'abc', 'Abc', ' ab ', '12', '-1', '1.5', 'true', '2026-11-20', 'a\0b', '\ud800'),
  fc.emailAddress(),
  fc.uuid(),
  fc.webUrl(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);

const anyValue = fc.oneof(
  { arbitrary: anyText, weight: 4 },
  { arbitrary: fc.integer({ min: -3, max: 13 }), weight: 2 },
  { arbitrary: fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }), weight: 1 },
  { arbitrary: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 4 }), weight: 1 },
  { arbitrary: fc.dictionary(fc.string(), fc.constantFrom(null, '', 1), { maxKeys: 2 }), weight: 1 },
  { arbitrary: fc.jsonValue(), weight: 2 },
);

/** JSON text with some of the members and perhaps undeclared ones. */
function jsonOf(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.record(members, { requiredKeys: [] }), fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 1 }))
    .map(([declared, undeclared]) => writeJson({ ...undeclared, ...declared }))
    .filter(isHarmless);
}

const bytesOf = (text: string) => () => readJson(Buffer.from(text)) as Plain;

/** A query parameter with one of the values or any other text. */
function parameter(name: string, ...values: fc.Arbitrary<unknown>[]): fc.Arbitrary<[string, string]> {
  return fc.tuple(fc.constant(name), fc.oneof(...values, fc.string()).map(String));
}

/** A class with rules for `value`, in source order. */
function dto(...decorators: PropertyDecorator[]): Type<object> {
  class Sample {
    value: unknown;
  }
  for (const decorate of decorators.toReversed()) decorate(Sample.prototype, 'value');
  return Sample;
}

/** An asynchronous rule that always fails. */
function late(options: { async?: boolean }): PropertyDecorator {
  return ({ constructor: target }, propertyName) =>
    rules.registerDecorator({
      ...options,
      name: 'late',
      target,
      propertyName: propertyName as string,
      validator: { validate: async () => false, defaultMessage: () => '$property is late' },
    });
}

class Named {
  @rules.IsString({ message: 'the $property of $target must be text, not $value' })
  @rules.Length(2, 4)
  name: string;

  @rules.IsOptional()
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(10)
  count?: number;

  @rules.IsBoolean()
  flag = true;
}

class Heir extends Named {
  // Rules of the same name replace inherited ones; the others remain.
  @rules.Length(1, 3, { message: ({ property, constraints: [min, max] }) => `${property}: ${min} to ${max}` })
  declare name: string;

  @rules.ValidateIf(({ count }: Heir) => count === 3)
  @rules.IsIn(['a', 'b'], { message: '$property must be one of $constraint1' })
  @Transform(({ value }) => (typeof value === 'string' ? value.trim() : value))
  letter: string;

  get isHeir(): boolean {
    return true;
  }
}

class Computed {
  @rules.Max(5)
  get value(): number {
    return 7;
  }
}

describe('the compiled form of a DTO', () => {
  const int64 = fc.oneof(fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }), fc.integer(), anyValue);
  const status = fc.oneof(fc.constantFrom('available', 'pending', 'sold'), anyValue);

  it.each<[string, Type<object>, Record<string, fc.Arbitrary<unknown>>]>([
    ['NewPet', NewPet, { name: fc.oneof(anyText, anyValue), categoryId: int64, status }],
    ['Pet', Pet, { id: int64, name: anyText, categoryId: int64, status }],
    ['a base class', Named, { name: anyValue, count: anyValue, flag: fc.oneof(fc.boolean(), anyValue) }],
    [
      'a derived class',
      Heir,
      {
        name: anyValue,
        count: anyValue,
        flag: fc.oneof(fc.boolean(), anyValue),
        letter: fc.oneof(fc.constantFrom('a', ' b ', 'c'), anyValue),
      },
    ],
  ])('agrees with class-validator on verdict, messages and instance: %s', async (_, type, members) => {
    const readDto = compileDto(type)!;
    await fc.assert(
      fc.asyncProperty(jsonOf(members), async (text) => {
        const { ours, compiled, theirs, theirsWithoutMessages } = await verdicts(type, readDto, bytesOf(text));
        expect(ours).toStrictEqual(theirs);
        expect(compiled).toStrictEqual(theirsWithoutMessages);
      }),
      { numRuns: repetitions(2_000) },
    );
  });

  it('agrees with class-validator on verdict, messages and instance: ListPetsQuery', async () => {
    const readDto = compileDto(ListPetsQuery)!;
    const parameters = fc.oneof(
      parameter('limit', fc.integer({ min: -1, max: 102 }), fc.constantFrom('01', '1e1', '1.0', '+1', '-0')),
      parameter('status', fc.constantFrom('available', 'pending', 'sold', 'Sold')),
      parameter('cursor', fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(writeCursor)),
      parameter('other'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(parameters, { maxLength: 4 }), async (pairs) => {
        const query = new URLSearchParams(pairs).toString();
        const { ours, compiled, theirs, theirsWithoutMessages } = await verdicts(ListPetsQuery, readDto, () =>
          parse(query),
        );
        expect(ours).toStrictEqual(theirs);
        expect(compiled).toStrictEqual(theirsWithoutMessages);
      }),
      { numRuns: repetitions(2_000) },
    );
  });

  it.each<[string, Type<object>]>([
    ['IsString', dto(rules.IsString())],
    ['IsInt', dto(rules.IsInt())],
    ['IsNumber', dto(rules.IsNumber({ maxDecimalPlaces: 2 }))],
    ['IsPositive', dto(rules.IsPositive())],
    ['IsDivisibleBy', dto(rules.IsDivisibleBy(3))],
    ['Min and Max', dto(rules.Min(1), rules.Max(10))],
    ['IsInt, Min and Max', dto(rules.IsInt(), rules.Min(1), rules.Max(10))],
    ['IsBoolean', dto(rules.IsBoolean())],
    ['IsBooleanString', dto(rules.IsBooleanString())],
    ['IsNumberString', dto(rules.IsNumberString())],
    ['IsEmpty', dto(rules.IsEmpty())],
    ['IsNotEmpty', dto(rules.IsNotEmpty())],
    ['IsOptional', dto(rules.IsOptional(), rules.IsString())],
    ['Length', dto(rules.Length(1, 3))],
    ['MinLength and MaxLength', dto(rules.MinLength(2), rules.MaxLength(3))],
    ['IsEmail', dto(rules.IsEmail())],
    ['IsUUID', dto(rules.IsUUID('4'))],
    ['IsUrl', dto(rules.IsUrl())],
    ['IsISO8601', dto(rules.IsISO8601({ strict: true }))],
    ['IsDateString', dto(rules.IsDateString())],
    ['IsIn', dto(rules.IsIn(['a', 'ab', 7]))],
    ['IsNotIn', dto(rules.IsNotIn(['a', 'ab', 7]))],
    ['IsEnum', dto(rules.IsEnum({ A: 'a', AB: 'ab' }))],
    ['Equals', dto(rules.Equals('a'))],
    ['NotEquals', dto(rules.NotEquals(7))],
    ['Contains', dto(rules.Contains('a'))],
    ['Matches', dto(rules.Matches(/^[a-z]+$/i))],
    ['Matches, twice', dto(rules.Matches(/b/, { message: 'no b' }), rules.Matches(/^a/, { message: 'no a' }))],
    ['IsAlpha and IsLowercase', dto(rules.IsAlpha(), rules.IsLowercase())],
    ['IsArray', dto(rules.IsArray())],
    ['ArrayMinSize and ArrayMaxSize', dto(rules.ArrayMinSize(1), rules.ArrayMaxSize(2))],
    ['ArrayUnique', dto(rules.ArrayUnique())],
    ['ArrayContains', dto(rules.ArrayContains([1, 2]))],
    ['IsObject', dto(rules.IsObject())],
    ['IsNotEmptyObject', dto(rules.IsNotEmptyObject())],
    ['IsInstance', dto(rules.IsInstance(Date))],
    [
      'ValidateIf',
      dto(
        rules.ValidateIf((_, value) => typeof value === 'string'),
        rules.Length(1, 2),
      ),
    ],
    [
      'Transform',
      dto(
        Transform(({ value }) => String(value).length),
        rules.IsInt(),
        rules.Max(3),
      ),
    ],
    [
      'Transform, twice',
      dto(
        Transform(({ value }) => `${String(value)}a`),
        Transform(({ value }) => `${String(value)}b`),
        rules.Length(1, 3),
      ),
    ],
    [
      'Transform that reads the whole object',
      dto(
        Transform(({ obj }) => Object.keys(obj as object).length),
        rules.Max(1),
      ),
    ],
    ['a message with every token', dto(rules.Max(3, { message: '$target.$property <= $constraint1, not $value' }))],
    ['a message with two constraints', dto(rules.Length(1, 3, { message: '$constraint2..$constraint1 $constraint3' }))],
    ['a message with a list', dto(rules.IsIn([1, 2, 3], { message: '$property: $constraint1' }))],
    ['a message with replacement patterns', dto(rules.IsInt({ message: "$$ $& $' $property $value" }))],
    [
      'a message that is a function',
      dto(
        rules.Max(3, {
          message: ({ value, property, targetName }) => `${targetName} ${property} ${String(value)} $constraint1`,
        }),
      ),
    ],
    ['an empty message', dto(rules.IsInt({ message: '' }))],
    [
      'a rule that reads the other members',
      dto(
        rules.ValidateBy({
          name: 'alone',
          validator: {
            validate: (_, args) => Object.keys(args!.object).length === 1,
            defaultMessage: () => '$property alone',
          },
        }),
      ),
    ],
  ])('agrees with class-validator on verdict, messages and instance: %s', async (_, type) => {
    const readDto = compileDto(type)!;
    await fc.assert(
      fc.asyncProperty(jsonOf({ value: anyValue }), async (text) => {
        const { ours, compiled, theirs, theirsWithoutMessages } = await verdicts(type, readDto, bytesOf(text));
        expect(ours).toStrictEqual(theirs);
        expect(compiled).toStrictEqual(theirsWithoutMessages);
      }),
      // A message may have the value, which may be half of a surrogate pair.
      { numRuns: repetitions(200), examples: [[String.raw`{"value":"\ud800"}`]] },
    );
  });
});

class Owner {
  @rules.IsString()
  name: string;

  @rules.ValidateNested()
  @TypeOf(() => NewPet)
  pet: NewPet;
}

class Household {
  @rules.ValidateNested({ each: true })
  @TypeOf(() => Owner)
  owners: Owner[];

  @rules.IsOptional()
  @rules.ValidateNested()
  @TypeOf(() => NewPet)
  guest?: NewPet;
}

class Tree {
  @rules.IsInt()
  value: number;

  @rules.IsOptional()
  @rules.ValidateNested()
  @TypeOf(() => Tree)
  branch?: object;
}

class Register {
  @rules.ValidateNested()
  @TypeOf(() => Owner)
  value: Map<string, Owner>;
}

const nestPipe = new ValidationPipe({ transform: true, whitelist: true });

async function outcomeOf(by: ValidationPipe, metatype: Type<object>, value: unknown): Promise<Verdict> {
  try {
    return { dto: await by.transform(value, { type: 'body', metatype }) };
  } catch (error) {
    return failure(error);
  }
}

describe('a DTO with nested DTOs', () => {
  const pet = fc.oneof(
    fc.record(
      { name: fc.oneof(anyText, anyValue), categoryId: fc.oneof(fc.integer(), anyValue), other: anyValue },
      { requiredKeys: [] },
    ),
    anyValue,
  );
  const owner = fc.oneof(fc.record({ name: anyText, pet }, { requiredKeys: [] }), anyValue);
  const owners = fc.oneof(fc.array(owner, { maxLength: 3 }), owner);

  it("gets the same result as from Nest's own pipe", async () => {
    const readDto = compileDto(Household)!;
    await fc.assert(
      fc.asyncProperty(jsonOf({ owners, guest: pet }), async (text) => {
        const theirs = await outcomeOf(nestPipe, Household, bytesOf(text)());
        expect(await outcomeOf(pipe, Household, bytesOf(text)())).toStrictEqual(theirs);
        const compiled = verdictOfCompiled(readDto, bytesOf(text)());
        // The compiled form leaves to Nest what it does not know: values that are neither objects nor lists.
        if (!('dto' in compiled && compiled.dto === undefined)) expect(compiled).toStrictEqual(theirs);
      }),
      { numRuns: repetitions(2_000) },
    );
  });

  it('is compiled', () => {
    const owned = { name: 'Ada', pet: { name: 'Rex', categoryId: 7, other: 1 } };
    const household = { owners: [owned, owned], guest: owned.pet };
    const expected = plainToInstance(NewPet, { name: 'Rex', categoryId: 7n });
    expect(compileDto(Household)!(household)).toStrictEqual(
      Object.assign(new Household(), {
        owners: [owned, owned].map(({ name }) => Object.assign(new Owner(), { name, pet: expected })),
        guest: expected,
      }),
    );
  });
});

describe('a DTO with rules that are not compiled', () => {
  @Exclude()
  class Closed {
    @rules.IsString()
    value: string;
  }

  it.each<[string, Type<object>]>([
    ['nested objects without a class', dto(rules.ValidateNested())],
    [
      'nested objects of several classes',
      dto(
        rules.ValidateNested(),
        TypeOf(() => Object, {
          discriminator: {
            property: 'name',
            subTypes: [
              { name: 'a', value: Named },
              { name: 'b', value: Heir },
            ],
          },
        }),
      ),
    ],
    [
      'nested objects that are changed',
      dto(
        rules.ValidateNested(),
        TypeOf(() => NewPet),
        Transform(({ value }: { value: unknown }) => value ?? {}),
      ),
    ],
    ['itself', Tree],
    [
      'nested objects whose class depends on the value',
      dto(
        rules.ValidateNested(),
        TypeOf((options) => ((options?.object.value as Plain | null)?.name === 7 ? Named : NewPet)),
      ),
    ],
    [
      'nested objects with a condition',
      dto(
        rules.ValidateIf(() => false),
        rules.ValidateNested(),
        TypeOf(() => NewPet),
      ),
    ],
    ['nested objects in a Map', Register],
    ['each', dto(rules.IsInt({ each: true }))],
    ['each, where the list itself meets the rule', dto(rules.IsArray({ each: true }))],
    ['groups', dto(rules.IsInt({ groups: ['a'] }))],
    ['a condition of a rule', dto(rules.IsInt({ validateIf: () => false }))],
    ['an asynchronous rule', dto(late({ async: true }))],
    ['an asynchronous rule that is not declared as one', dto(late({}))],
    ['IsDefined', dto(rules.IsDefined())],
    [
      'a type',
      dto(
        rules.IsDate(),
        TypeOf(() => Date),
      ),
    ],
    ['an exposed name', dto(rules.IsString(), Expose({ name: 'other' }))],
    ['an excluded member', dto(rules.IsString(), Exclude())],
    ['an excluded class', Closed],
    [
      'Transform of a group',
      dto(
        rules.IsString(),
        Transform(() => 'b', { groups: ['a'] }),
      ),
    ],
    [
      'Transform of a version',
      dto(
        rules.IsString(),
        Transform(() => 'b', { until: 1 }),
      ),
    ],
    ['Allow', dto(rules.Allow())],
    ['a rule for an accessor', Computed],
  ])("gets the same result as from Nest's own pipe: %s", async (_, metatype) => {
    for (const value of ['a', '2026-11-20', 7, [7], [{ name: 'a' }], { name: 'a' }, { name: 7 }, null, undefined]) {
      const text = JSON.stringify({ value, other: 1 });
      expect([value, await outcomeOf(pipe, metatype, bytesOf(text)())]).toEqual([
        value,
        await outcomeOf(nestPipe, metatype, JSON.parse(text)),
      ]);
    }
    expect(compileDto(metatype)?.({ value: 'a' })).toBeUndefined();
  });
});

describe('a field of our own outside of the contract', () => {
  it.each([1, 100])('accepts its bound: %i', (limit) => {
    expect(compileDto(ListPetsQuery)!({ limit })).toMatchObject({ limit });
  });

  it.each([0, 101, 1.5])('refuses what lies beyond its bounds: %p', (limit) => {
    expect(compileDto(ListPetsQuery)!({ limit })).toBeUndefined();
  });
});

describe('DtoPipe', () => {
  it.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['text', 'text'],
    ['a number', 1],
  ])('rejects %s instead of an object', async (_, value) => {
    const read = async () => pipe.transform(value, { type: 'body', metatype: NewPet });
    await expect(read()).rejects.toThrow(new BadRequestException('The body must be a JSON object.'));
  });

  it.each([String, Number, Boolean, Array, Object, Date, undefined])(
    'passes a value through when its type has no rules: %p',
    async (metatype) => {
      const value = { a: 1 };
      expect(await pipe.transform(value, { type: 'body', metatype })).toBe(value);
    },
  );
});

describe('a rule of the application without a message', () => {
  @rules.ValidatorConstraint()
  class IsNothing implements rules.ValidatorConstraintInterface {
    validate(): boolean {
      return false;
    }
  }

  class Unexplained {
    @rules.Validate(IsNothing)
    name: string;
  }

  class Owned {
    @rules.ValidateNested()
    @TypeOf(() => Unexplained)
    owner: Unexplained;
  }

  it('is reported with the name of its member', async () => {
    expect(await verdictOfPipe(Unexplained, { name: 'a' })).toEqual({ messages: ['name is not valid'] });
    expect(await verdictOfPipe(Owned, { owner: { name: 'a' } })).toEqual({ messages: ['owner.name is not valid'] });
  });
});
