import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Body, Controller, Module, Post, type Type } from '@nestjs/common';
import { Transform, Type as TypeOf } from 'class-transformer';
import { IsInt, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TextField } from '../../../../src/platform/validation/fields.js';
import { type StartedApp, startApp, startRefusal } from '../../../support/start-app.js';
import { baseContract, json, postOf } from '../base-contract.js';

class Owner {
  @TextField()
  name: string;

  @IsOptional()
  @IsString()
  email?: string;
}

class Pet {
  @ValidateNested()
  @TypeOf(() => Owner)
  owner: Owner;

  @IsOptional()
  @ValidateNested({ each: true })
  @TypeOf(() => Owner)
  sitters?: Owner[];
}

class Untyped {
  @ValidateNested()
  owner: Owner;
}

class Kept {
  @IsOptional()
  @IsObject()
  owner?: object;
}

class Person {
  @IsString()
  kind: string;

  @IsString()
  name: string;
}

class Chosen {
  @ValidateNested()
  @TypeOf(() => Person, {
    keepDiscriminatorProperty: true,
    discriminator: { property: 'kind', subTypes: [{ name: 'Person', value: Person }] },
  })
  owner: Person;
}

class Firm {
  @IsString()
  kind: string;

  @TextField()
  name: string;
}

class Employed {
  @ValidateNested()
  @TypeOf(() => Firm, {
    keepDiscriminatorProperty: true,
    discriminator: { property: 'kind', subTypes: [{ name: 'Firm', value: Firm }] },
  })
  owner: Firm;
}

class Registry {
  @ValidateNested({ each: true })
  @TypeOf(() => Person, {
    keepDiscriminatorProperty: true,
    discriminator: { property: 'kind', subTypes: [{ name: 'Person', value: Person }] },
  })
  owners: Map<string, Person>;
}

class Forgetful {
  @ValidateNested()
  @TypeOf(() => Person, { discriminator: { property: 'kind', subTypes: [{ name: 'Person', value: Person }] } })
  owner: Person;
}

class Register {
  @ValidateNested()
  @TypeOf(() => Owner)
  owner: Map<string, Owner>;
}

class Club {
  @ValidateNested({ each: true })
  @TypeOf(() => Owner)
  owner: Set<Owner>;
}

class Varying {
  @ValidateNested()
  @TypeOf((options) => ((options!.object as { owner: { name?: string } }).owner.name === 'Ada' ? Person : Owner))
  owner: object;
}

class Patch {
  @IsOptional()
  @ValidateNested()
  @TypeOf(() => Owner)
  owner?: Owner | null;

  @IsOptional()
  @ValidateNested({ each: true })
  @TypeOf(() => Owner)
  sitters?: Owner[] | null;

  @IsOptional()
  @IsInt()
  age?: number | null;
}

const NAME = { type: 'string', pattern: String.raw`^[^\u0000]*$` };
const TEXT = { type: 'string' };

const objectOf = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });
const OWNER = objectOf({ name: NAME, email: TEXT }, { required: ['name'] });
const NULL = { type: 'string', nullable: true, enum: [null] };
const withOwner = (owner: object) => objectOf({ owner, sitters: { type: 'array', items: OWNER } });
const named = (kind: string, properties: object) =>
  objectOf({ kind: TEXT, ...properties }, { required: [kind, 'kind'] });

/** A feature whose handler returns the body that it gets, as text. */
function featureWith(dto: Type<object>): Type<object> {
  @Controller('things')
  class ThingsController {
    @Post()
    add(@Body() body: object): object {
      return { seen: JSON.stringify(body) };
    }
  }
  Reflect.defineMetadata('design:paramtypes', [dto], ThingsController.prototype, 'add');
  @Module({ controllers: [ThingsController] })
  class ThingsModule {}
  return ThingsModule;
}

const file = join(mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'nested-')), 'openapi.yaml');

/** The application with this body, and with these schemas to refer to. */
function start(dto: Type<object>, body: object, schemas: object = {}, version = '3.0.3'): Promise<StartedApp> {
  const contract = baseContract(version);
  delete contract.paths['/things/{thingId}'];
  Object.assign(contract.components.schemas as object, schemas);
  postOf(contract).requestBody.content = json(body);
  postOf(contract).responses[201].content = json(objectOf({ seen: TEXT }));
  writeFileSync(file, JSON.stringify(contract));
  return startApp({}, { contractFile: file, features: [featureWith(dto)] });
}

afterEach(() => void jest.restoreAllMocks());

describe('a DTO inside of another one', () => {
  it('keeps every declared member, also in lists', async () => {
    const { api } = await start(Pet, withOwner(OWNER));
    const body = { owner: { name: 'Ada', email: 'ada@example.org' }, sitters: [{ name: 'Bob' }, { name: 'Cy' }] };
    expect(await api.post('/v1/things', body)).toMatchObject({ status: 201, json: { seen: JSON.stringify(body) } });
  });

  it('loses nothing that it has no rules for', async () => {
    const { api } = await start(Kept, objectOf({ owner: OWNER }));
    const body = { owner: { name: 'Ada', email: 'ada@example.org' } };
    expect(await api.post('/v1/things', body)).toMatchObject({ status: 201, json: { seen: JSON.stringify(body) } });
  });

  it('may have nested DTOs that the contract does not declare', async () => {
    const { api } = await start(Pet, objectOf({ owner: OWNER }));
    const body = { owner: { name: 'Ada' } };
    expect(await api.post('/v1/things', body)).toMatchObject({ status: 201, json: { seen: JSON.stringify(body) } });
    const unread = objectOf({ note: TEXT });
    class Noted extends Untyped {
      note?: string;
    }
    for (const decorate of [IsOptional(), IsString()]) decorate(Noted.prototype, 'note');
    expect(await start(Noted, unread)).toBeDefined();
  });

  it.each<[string, string, (schema: object) => object]>([
    ['an alternative of oneOf', '3.0.3', (schema) => ({ oneOf: [schema, NULL] })],
    ['an alternative of anyOf', '3.0.3', (schema) => ({ anyOf: [NULL, schema] })],
    ['nullable', '3.0.3', (schema) => ({ ...schema, nullable: true })],
    ['enum', '3.1.0', (schema) => ({ oneOf: [schema, { type: ['string', 'null'], enum: [null] }] })],
    ['the type null', '3.1.0', (schema) => ({ anyOf: [schema, { type: 'null' }] })],
    ['const', '3.1.0', (schema) => ({ oneOf: [{ type: ['string', 'null'], const: null }, schema] })],
  ])('may be null, which a change takes away: %s', async (_, version, orNull) => {
    const body = objectOf({
      owner: orNull(OWNER),
      sitters: orNull({ type: 'array', items: OWNER }),
      age: orNull({ type: 'integer', format: 'int32' }),
    });
    const { api } = await start(Patch, body, {}, version);
    for (const sent of [
      {},
      { owner: null, sitters: null, age: null },
      { owner: { name: 'Ada' }, sitters: [{ name: 'Bob' }], age: 1 },
    ])
      expect(await api.post('/v1/things', sent)).toMatchObject({ status: 201, json: { seen: JSON.stringify(sent) } });
    expect((await api.post('/v1/things', { owner: 'Ada' })).status).toBe(400);
  });

  it('may be null beside several alternatives', async () => {
    const other = objectOf({ name: NAME, email: TEXT }, { required: ['name', 'email'] });
    const { api } = await start(Patch, objectOf({ owner: { anyOf: [OWNER, NULL, other] } }));
    for (const sent of [{ owner: null }, { owner: { name: 'Ada' } }])
      expect(await api.post('/v1/things', sent)).toMatchObject({ status: 201, json: { seen: JSON.stringify(sent) } });
  });

  it('may be chosen by the value, which leaves it to Nest', async () => {
    const { api } = await start(Varying, objectOf({ owner: OWNER }));
    expect((await api.post('/v1/things', { owner: { name: 'Ada' } })).json).toMatchObject({ status: 400 });
    const body = { owner: { name: 'Bob' } };
    expect(await api.post('/v1/things', body)).toMatchObject({ status: 201, json: { seen: JSON.stringify(body) } });
  });

  it('may be the values of a Map', async () => {
    const map = (owner: object) => objectOf({ owner: { type: 'object', additionalProperties: owner } });
    const { api } = await start(Register, map(OWNER));
    expect((await api.post('/v1/things', { owner: { a: { name: 'Ada' } } })).status).toBe(201);
    await expect(start(Register, map(objectOf({ name: NAME, phone: TEXT }, { required: ['name'] })))).rejects.toThrow(
      /phone is declared here, but Owner has no rule for it/,
    );
  });

  it('may be the items of a Set', async () => {
    const { api } = await start(Club, objectOf({ owner: { type: 'array', items: OWNER } }));
    // JSON has the items of a list, and none of a Set.
    expect((await api.post('/v1/things', { owner: [{ name: 'Ada' }] })).json).toEqual({ seen: '{"owner":{}}' });
  });

  it('is checked once', async () => {
    const { api } = await start(Pet, withOwner(OWNER));
    const check = jest.spyOn(String.prototype, 'isWellFormed');
    expect((await api.post('/v1/things', { owner: { name: 'Ada the first' } })).status).toBe(201);
    expect(check.mock.contexts.filter((context) => String(context) === 'Ada the first')).toHaveLength(1);
  });

  it.each<[string, Type<object>, object, string]>([
    [
      'it lacks a member',
      Pet,
      withOwner(objectOf({ name: NAME, email: TEXT, phone: TEXT }, { required: ['name'] })),
      'phone is declared here, but Owner has no rule for it; give the member one there, such as @Allow(), or remove it here.',
    ],
    [
      'it lacks a member of a list',
      Pet,
      objectOf({
        owner: OWNER,
        sitters: { type: 'array', items: objectOf({ name: NAME, email: TEXT, phone: TEXT }, { required: ['name'] }) },
      }),
      'phone is declared here, but Owner has no rule for it; give the member one there, such as @Allow(), or remove it here.',
    ],
    [
      'it lacks a member of a part',
      Pet,
      withOwner({ allOf: [OWNER, objectOf({ phone: TEXT })] }),
      'phone is declared here, but Owner has no rule for it; give the member one there, such as @Allow(), or remove it here.',
    ],
    [
      'it lacks a member of an alternative',
      Pet,
      withOwner({ oneOf: [OWNER, objectOf({ phone: TEXT }, { required: ['phone'] })] }),
      'phone is declared here, but Owner has no rule for it; give the member one there, such as @Allow(), or remove it here.',
    ],
    [
      'the outer one lacks a member of an alternative',
      Kept,
      { oneOf: [objectOf({ owner: OWNER }), objectOf({ phone: TEXT }, { required: ['phone'] })] },
      'phone is declared here, but Kept has no rule for it; give the member one there, such as @Allow(), or remove it here.',
    ],
    [
      'an alternative is text, or null',
      Patch,
      withOwner({ oneOf: [OWNER, { ...NULL, enum: ['none', null] }] }),
      'owner is of the type string here, but Patch takes it as Owner; give it the type that it has, or convert it with a pipe, @Transform() or a field of the platform.',
    ],
    [
      'an alternative is null, and no rule lets it through',
      Pet,
      withOwner({ oneOf: [OWNER, NULL] }),
      'owner may be null here, but the rule nestedValidation in Pet refuses that; add @IsOptional() there, or forbid null here.',
    ],
    [
      'further members are declared',
      Pet,
      withOwner({ ...OWNER, additionalProperties: TEXT }),
      'further members are declared here, but Owner drops them; take them without a DTO, or remove this.',
    ],
    [
      'any further members are declared',
      Pet,
      { ...withOwner(OWNER), additionalProperties: true },
      'further members are declared here, but Pet drops them; take them without a DTO, or remove this.',
    ],
    [
      'a rule of ours differs',
      Pet,
      withOwner({ ...OWNER, properties: { name: TEXT, email: TEXT } }),
      String.raw`"pattern" of name is missing here and "^[^\\u0000]*$" in Owner; make them equal.`,
    ],
    [
      'its alternatives are not declared',
      Chosen,
      objectOf({ owner: named('name', { name: TEXT }) }),
      '@Type() of Chosen.owner has the alternative Person, which is not declared here with a discriminator; declare it here, or remove it there.',
    ],
  ])('stops the start: %s', async (_, dto, body, reason) => {
    expect(await startRefusal(start(dto, body))).toBe(`FILE:1:1 ${reason}`);
  });

  it('stops the start when it lacks an alternative, or a member of one', async () => {
    const union = (names: string[]) => ({
      oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })),
      discriminator: { propertyName: 'kind' },
    });
    const schemas = { Person: named('name', { name: TEXT }), Firm: named('name', { name: TEXT }) };
    const byName = { ...union(['Person']), discriminator: { propertyName: 'name' } };
    await expect(start(Chosen, objectOf({ owner: byName }), schemas)).rejects.toThrow(
      /openapi\.yaml:\d+:\d+ the property "name" tells the alternatives apart here, but "kind" in @Type\(\) of Chosen\.owner; name the same one\.$/,
    );
    const { api } = await start(Chosen, objectOf({ owner: union(['Person']) }), schemas);
    const body = { owner: { kind: 'Person', name: 'Ada' } };
    expect(await api.post('/v1/things', body)).toMatchObject({ status: 201, json: { seen: JSON.stringify(body) } });
    await expect(start(Chosen, objectOf({ owner: union(['Person', 'Firm']) }), schemas)).rejects.toThrow(
      /openapi\.yaml:\d+:\d+ the alternative Firm is declared here, but @Type\(\) of Chosen\.owner lacks it; add it there, or remove it here\.$/,
    );
    await expect(start(Employed, objectOf({ owner: union(['Firm']) }), schemas)).rejects.toThrow(
      /"pattern" of name is missing here and \S+ in Firm; make them equal\.$/,
    );
    await expect(start(Forgetful, objectOf({ owner: union(['Person']) }), schemas)).rejects.toThrow(
      /openapi\.yaml:\d+:\d+ @Type\(\) of Forgetful\.owner drops the property that tells the alternatives apart; add "keepDiscriminatorProperty: true" there\.$/,
    );
    const registry = objectOf({ owners: { type: 'object', additionalProperties: union(['Person']) } });
    await expect(start(Registry, registry, schemas)).rejects.toThrow(
      /openapi\.yaml:\d+:\d+ the members are alternatives here, but @Type\(\) of Registry\.owners cannot choose among classes in a Map; take the object as a Record with @IsObject\(\), without @Type\(\), there\.$/,
    );
    const more = { Person: named('name', { name: TEXT, email: TEXT }) };
    await expect(start(Chosen, objectOf({ owner: union(['Person']) }), more)).rejects.toThrow(
      /openapi\.yaml:\d+:\d+ email is declared here, but Person has no rule for it; give the member one there, such as @Allow\(\), or remove it here\.$/,
    );
  });

  it('stops the start without @Type(), because it would lose all members', async () => {
    await expect(start(Untyped, objectOf({ owner: OWNER }))).rejects.toThrow(
      /openapi\.yaml:\d+:\d+ owner has @ValidateNested\(\) without @Type\(\) in Untyped, so it would lose all its members; add @Type\(\(\) => \.\.\.\) with the class of its objects\.$/,
    );
  });

  it('stops the start with @Transform() instead of @Type(), because its class is unknown', async () => {
    class Made {
      @ValidateNested()
      @Transform(({ value }) => Object.assign(new Owner(), value))
      owner: Owner;
    }

    expect(await startRefusal(start(Made, objectOf({ owner: OWNER })))).toBe(
      'FILE:1:1 owner has @ValidateNested() without @Type() in Made, so that nothing compares what @Transform() makes with the contract; replace @Transform() by @Type(() => ...) or, where the class depends on the value, by @Type((options) => ...).',
    );
  });
});
