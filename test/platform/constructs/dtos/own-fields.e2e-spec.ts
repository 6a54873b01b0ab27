import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Body, Controller, Module, Post, Req, type Type } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import type { Request } from 'express';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../../../../src/platform/process/start-error.js';
import { Int64Field, TextField } from '../../../../src/platform/validation/fields.js';
import { type StartedApp, startApp } from '../../../support/start-app.js';
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

  it.each<[string, Type<object>, object, string]>([
    ['its DTO lacks it', ThingsModule, { ...COLOUR }, 'Thing lacks it'],
    ['its DTO lacks it, and it is composed', ThingsModule, { oneOf: [COLOUR] }, 'Thing lacks it'],
    ['no parameter names it', NamedModule, COLOUR, 'NamedController.add does not take it'],
  ])('stops the start: %s', async (_, feature, colour, lacking) => {
    const error: unknown = await start({ name: NAME, owner: OWNER, colour }, ['name'], feature).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(StartError);
    const member = feature === NamedModule ? 'owner' : 'colour';
    expect((error as StartError).message.replace(file, 'FILE').replaceAll(/\d+/g, '1')).toBe(
      `FILE:1:1 ${member} is declared here, but ${lacking}; add it there, or remove it here.`,
    );
  });

  it('does not stop the start when it is read-only, or when a handler without a DTO takes the request', async () => {
    await start({ name: NAME, owner: OWNER, colour: { ...COLOUR, readOnly: true } });
    const { api } = await start({ name: NAME, owner: OWNER, colour: COLOUR }, ['name'], WholeModule);
    expect((await api.post('/v1/things', { name: 'Rex', colour: 'red' })).json).toEqual({ owner: 'Rex of red' });
  });
});
