import { describe, expect, it } from '@jest/globals';
import { Body, ParseArrayPipe, type Type } from '@nestjs/common';
import { PickType } from '@nestjs/swagger';
import { Transform, Type as TypeOf } from 'class-transformer';
import { Allow, IsArray, IsInt, IsObject, IsOptional, IsString, MinLength, ValidateNested } from 'class-validator';
import { startRefusal } from '../../../support/start-app.js';
import { writeJson } from '../../../support/contract/exact-json.js';
import { startTaking, type Taken } from '../taking-body.js';

class Owner {
  @IsString()
  name: string;
}

class Pet {
  @ValidateNested()
  @TypeOf(() => Owner)
  owner: Owner;
}

class Pets {
  @ValidateNested({ each: true })
  @TypeOf(() => Owner)
  owner: Owner[];
}

class SetOfPets {
  @ValidateNested({ each: true })
  @TypeOf(() => Owner)
  owner: Set<Owner>;
}

class PlainSet {
  @Allow()
  owner: Set<Owner>;
}

class Named {
  @IsString()
  @MinLength(3)
  name: string;
}

class Box {
  @IsInt()
  size: number;

  @IsOptional()
  @IsString()
  get?: string;
}

function circular(n: number): object {
  const one = { n };
  Object.defineProperty(one, 'self', { value: one, enumerable: true });
  return Object.defineProperty(one, 'toJSON', { value: () => ({ n }) });
}

class Boxed {
  @IsString({ each: true })
  tags: string[];

  @ValidateNested()
  @TypeOf(() => Box)
  box: Box;

  // As of a class of the application whose objects lead to one another.
  @Transform(({ value }: { value: { size: number } }) => circular(value.size))
  @Allow()
  converted: object;
}

class Labelled {
  @IsString({ each: true })
  tags: string[];

  @IsOptional()
  @IsObject()
  labels?: Record<string, string>;

  @IsOptional()
  @IsArray()
  more?: Record<string, string>[];

  @ValidateNested({ each: true })
  @TypeOf(() => Named)
  people: Map<string, Named>;
}

/** What a compiler of single files emits for a type that has the name of a function. */
const Money = (amount: number): number => amount;

class Picked extends PickType(Pet, ['owner'] as const) {}

class Unruled {
  @Allow()
  owner: Owner;
}

class Plain {
  name: string;
}

class Wrapped {
  @Transform(({ value }: { value: unknown }) => [value].flat())
  @TypeOf(() => Owner)
  @ValidateNested({ each: true })
  owner: Owner[];
}

class Optional {
  @IsOptional()
  @ValidateNested()
  @TypeOf(() => Owner)
  owner?: Owner | null;
}

class Limits {
  @IsObject()
  limits: Record<string, number>;
}

class ListedLimits {
  @IsArray()
  limits: Record<string, number>[];
}

class ExactLimits {
  @Allow()
  @Transform(({ value }: { value: Record<string, number | bigint> }) => JSON.stringify(value, textOf))
  limits: Record<string, bigint>;
}

const textOf = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);

const OWNER = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const OWNERS = { type: 'array', items: OWNER };
const nullable = (schema: object) => ({ ...schema, nullable: true });
const petOf = (owner: object) => ({ type: 'object', properties: { owner } });

const whole = (type: unknown): Taken => [Body(), type];
const listOf = (items: Type<object>, options: object = {}): Taken => [
  Body(new ParseArrayPipe({ items, ...options })),
  Array,
];

const GIVE = 'give it the type that it has, or convert it with a pipe, @Transform() or a field of the platform.';

describe('a list and an object', () => {
  it.each<[string, Taken, object, string]>([
    ['a list as a DTO', whole(Owner), OWNERS, 'the body is of the type array here, but Things.add takes it as Owner'],
    [
      'a list or an object as a DTO',
      whole(Owner),
      { oneOf: [OWNER, OWNERS] },
      'the body is of the type array here, but Things.add takes it as Owner',
    ],
    [
      'an object as the items of a pipe',
      listOf(Owner),
      OWNER,
      'the body is of the type object here, but Things.add takes it as a list of Owner',
    ],
    [
      'an object as a list',
      whole(Array),
      OWNER,
      'the body is of the type object here, but Things.add takes it as Array',
    ],
    [
      'text as a number',
      whole(Number),
      { type: 'string' },
      'the body is of the type string here, but Things.add takes it as Number',
    ],
    [
      'the list of a member as a DTO',
      [Body('owner'), Owner],
      petOf(OWNERS),
      'owner is of the type array here, but Things.add takes it as Owner',
    ],
    [
      'the list of a member as a class without rules',
      [Body('owner'), Plain],
      petOf(OWNERS),
      'owner is of the type array here, but Things.add takes it as Plain',
    ],
    ['a list as a nested DTO', whole(Pet), petOf(OWNERS), 'owner is of the type array here, but Pet takes it as Owner'],
    [
      'a list as a nested DTO of a mapped type',
      whole(Picked),
      petOf(OWNERS),
      'owner is of the type array here, but Picked takes it as Owner',
    ],
    [
      'a list as a class without @Type()',
      whole(Unruled),
      petOf(OWNERS),
      'owner is of the type array here, but Unruled takes it as Owner',
    ],
    [
      'an object as a list of nested DTOs',
      whole(Pets),
      petOf(OWNER),
      'owner is of the type object here, but Pets takes it as Array',
    ],
    [
      'an object as a set of nested DTOs',
      whole(SetOfPets),
      petOf(OWNER),
      'owner is of the type object here, but SetOfPets takes it as Set',
    ],
    [
      'a list as a Set that nobody makes',
      whole(PlainSet),
      petOf(OWNERS),
      'owner is of the type array here, but PlainSet takes it as Set',
    ],
    [
      'the list of a member as a Set',
      [Body('owner'), Set],
      petOf(OWNERS),
      'owner is of the type array here, but Things.add takes it as Set',
    ],
  ])('stop the start: %s', async (_, taken, body, reason) => {
    expect(await startRefusal(startTaking(taken, body))).toBe(`FILE:1:1 ${reason}; ${GIVE}`);
  });

  it.each<[string, Taken, object, string, string]>([
    ['the body as a DTO', whole(Owner), nullable(OWNER), 'the body', 'Owner'],
    ['the body as the items of a pipe', listOf(Owner), nullable(OWNERS), 'the body', 'a list of Owner'],
    ['a member as a DTO', [Body('owner'), Owner], petOf(nullable(OWNER)), 'owner', 'Owner'],
  ])('stop the start where null is valid and would be refused: %s', async (_, taken, body, name, type) => {
    await expect(startTaking(taken, body)).rejects.toThrow(
      `${name} may be null here, but Things.add takes it as ${type}, and would refuse null; take it without a DTO, or forbid null here.`,
    );
  });

  it.each<[string, Taken, object, unknown, unknown?]>([
    ['a list as the items of a pipe', listOf(Owner), OWNERS, [{ name: 'Ada' }, { name: 'Bob' }]],
    ['null for an optional pipe', listOf(Owner, { optional: true }), nullable(OWNERS), null],
    ['null without a DTO', whole(Object), nullable(OWNER), null],
    ['null as an optional member', whole(Optional), petOf(nullable(OWNER)), { owner: null }],
    ['null that only one part allows', whole(Owner), { allOf: [OWNER, nullable(OWNER)] }, { name: 'Ada' }],
    ['a list as a list', whole(Pets), petOf(OWNERS), { owner: [{ name: 'Ada' }] }],
    ['an object as a type that nothing is known of', whole(Money), OWNER, { name: 'Ada' }],
    ['an object made a list', whole(Wrapped), petOf(OWNER), { owner: { name: 'Ada' } }, { owner: [{ name: 'Ada' }] }],
  ])('start where the types agree: %s', async (_, taken, body, sent, seen = sent) => {
    const { api } = await startTaking(taken, body);
    expect(await api.post('/v1/things', sent)).toMatchObject({ status: 201, json: { seen: JSON.stringify(seen) } });
  });
});

describe('an object whose further members may be beyond 2^53', () => {
  const WIDE = { type: 'object', additionalProperties: { type: 'integer', format: 'int64' } };
  const NARROW = { type: 'object', additionalProperties: { type: 'integer', format: 'int32' } };
  const limitsOf = (limits: object) => ({ type: 'object', required: ['limits'], properties: { limits } });

  it.each<[string, object]>([
    ['int64', WIDE],
    ['no format', { type: 'object', additionalProperties: { type: 'integer' } }],
    ['a reference with a description', { allOf: [WIDE], description: 'By name.' }],
    ['declared members, too', { ...WIDE, properties: { a: { type: 'string' } } }],
    ['a list', { type: 'object', additionalProperties: { type: 'array', items: { type: 'integer' } } }],
  ])('stops the start, because a DTO would have numbers and bigints: %s', async (_, limits) => {
    expect(await startRefusal(startTaking(whole(Limits), limitsOf(limits)))).toBe(
      'FILE:1:1 limits is an object whose members may be beyond 2^53 here, so that Limits would get numbers and bigints mixed; convert them with a pipe, or in a DTO with @Transform(), or limit the members here.',
    );
  });

  it.each<[string, Taken, object, string]>([
    ['a body', whole(Object), WIDE, 'the body'],
    [
      'a body of lists',
      whole(Object),
      { ...WIDE, additionalProperties: { type: 'array', items: { type: 'integer' } } },
      'the body',
    ],
    ['a member', [Body('limits'), Object], limitsOf(WIDE), 'limits'],
  ])('stops the start, because a handler would have numbers and bigints: %s', async (_, taken, body, name) => {
    expect(await startRefusal(startTaking(taken, body))).toBe(
      `FILE:1:1 ${name} is an object whose members may be beyond 2^53 here, so that Things.add would get numbers and bigints mixed; convert them with a pipe, or in a DTO with @Transform(), or limit the members here.`,
    );
  });

  const toBigints = {
    transform: (value: Record<string, number | bigint>) =>
      Object.fromEntries(Object.entries(value).map(([name, one]) => [name, BigInt(one)])),
  };

  it.each<[string, Taken, object]>([
    ['a pipe converts', [Body(toBigints), Object], WIDE],
    ['have only int32', whole(Object), NARROW],
    ['may be anything', whole(Object), { type: 'object', additionalProperties: true }],
    ['are alternatives', whole(Object), { oneOf: [WIDE, { type: 'string' }] }],
    ['are declared one by one', whole(Object), { type: 'object', properties: { a: { type: 'integer' } } }],
  ])('starts as a body whose members %s', async (_, taken, body) => {
    const { api } = await startTaking(taken, body);
    expect(await api.post('/v1/things', { a: 1 })).toMatchObject({ status: 201, json: { seen: '{"a":1}' } });
  });

  it('stops the start in a list', async () => {
    await expect(startTaking(whole(ListedLimits), limitsOf({ type: 'array', items: WIDE }))).rejects.toThrow(
      'limits is a list whose items may be beyond 2^53 here',
    );
  });

  it.each<[string, Taken, object, unknown, unknown?]>([
    ['converts them', whole(ExactLimits), WIDE, { a: 2n ** 53n + 1n }, '{"a":"9007199254740993"}'],
    ['has only int32', whole(Limits), NARROW, { a: 1 }],
    ['has fractions', whole(Limits), { ...NARROW, additionalProperties: { type: 'number' } }, { a: 1.5 }],
    ['has anything', whole(Limits), { type: 'object', additionalProperties: true }, { a: 1 }],
    ['takes it without a DTO', whole(Object), WIDE, { a: 2n ** 53n + 1n }],
  ])('starts where the handler %s', async (_, taken, limits, sent, seen = sent) => {
    const { api } = await startTaking(taken, limitsOf(limits));
    const response = await api.post('/v1/things', writeJson({ limits: sent }));
    expect(response).toMatchObject({ status: 201, json: { seen: writeJson({ limits: seen }) } });
  });
});

describe('a member whose name every object or Map inherits', () => {
  const NAMES = ['a', 'constructor', '__proto__', 'prototype', 'toString', 'valueOf', 'size', 'get', 'b'];
  const MAP = { type: 'object', additionalProperties: { type: 'string' } };
  const NAMED = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const PEOPLE = { type: 'object', additionalProperties: NAMED };
  const TAGS = { type: 'array', items: { type: 'string' } };
  const objectOf = (properties: object) => ({ type: 'object', required: ['tags', 'people'], properties });
  const entriesOf = (value: unknown) => Object.fromEntries(NAMES.map((name) => [name, value]));
  // An object literal would take `__proto__` for its prototype.
  const text = (value: unknown) => `{${NAMES.map((name) => `"${name}":${JSON.stringify(value)}`).join()}}`;

  it('is in a plain map, in a list, and in a Map of a DTO that Nest validates', async () => {
    const schema = { labels: MAP, more: { type: 'array', items: MAP }, people: PEOPLE, tags: TAGS };
    const body = objectOf(schema);
    const seen = ({ labels, more, people }: Labelled) =>
      writeJson([labels, more, Object.fromEntries(people), [...people.values()].every((one) => one instanceof Named)]);
    const { api } = await startTaking([Body(), Labelled], body, seen as never);
    const person = { name: 'Ada' };
    const sent = `{"tags":["x"],"labels":${text('x')},"more":[${text('y')}],"people":${text(person)}}`;
    const expected = writeJson([entriesOf('x'), [entriesOf('y')], entriesOf(person), true]);
    const response = await api.post('/v1/things', sent);
    expect([response.status, response.json]).toEqual([201, { seen: expected }]);
  });

  it('is in the items of a list that a ParseArrayPipe makes, and in the sentence about them', async () => {
    const item = objectOf({ labels: MAP, people: PEOPLE, tags: TAGS });
    const seen = ([{ labels, people }]: [Labelled]) => writeJson([labels, Object.fromEntries(people)]);
    const taken: Taken = [Body(new ParseArrayPipe({ items: Labelled })), Array];
    const { api } = await startTaking(taken, { type: 'array', items: item }, seen as never);
    const itemOf = (name: string) => `[{"tags":["x"],"labels":${text('x')},"people":${text({ name })}}]`;
    const response = await api.post('/v1/things', itemOf('Ada'));
    expect([response.status, response.json]).toEqual([
      201,
      { seen: writeJson([entriesOf('x'), entriesOf({ name: 'Ada' })]) },
    ]);
    const refused = await api.post('/v1/things', itemOf('A'));
    expect(refused).toMatchObject({
      status: 400,
      json: { message: expect.stringContaining('people.constructor.name must be longer') },
    });
  });

  it('has its own name in the sentence about it', async () => {
    const { api } = await startTaking(
      [Body(), Labelled],
      objectOf({ people: PEOPLE, tags: TAGS, labels: MAP, more: { type: 'array', items: MAP } }),
    );
    const response = await api.post('/v1/things', '{"tags":["x"],"people":{"constructor":{"name":"no"}}}');
    expect(response).toMatchObject({
      status: 400,
      json: { message: expect.stringContaining('people.constructor.name') },
    });
  });

  it('is in the DTO of an object, and seen by a @Transform()', async () => {
    const SIZE = { size: { type: 'integer', format: 'int32' } };
    const BOX = { type: 'object', required: ['size'], properties: { ...SIZE, get: { type: 'string' } } };
    const body = { ...objectOf({ tags: TAGS, box: BOX, converted: { type: 'object', properties: SIZE } }) };
    const required = ['tags', 'box', 'converted'];
    const { api } = await startTaking([Body(), Boxed], { ...body, required }, JSON.stringify);
    const response = await api.post('/v1/things', { tags: ['x'], box: { size: 3, get: 'g' }, converted: { size: 4 } });
    const seen = '{"tags":["x"],"box":{"size":3,"get":"g"},"converted":{"n":4}}';
    expect([response.status, response.json]).toEqual([201, { seen }]);
  });
});
