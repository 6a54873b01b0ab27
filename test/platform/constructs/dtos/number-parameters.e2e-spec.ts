import { describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Module, Param, Post, Query, type Type } from '@nestjs/common';
import { Type as TypeOf } from 'class-transformer';
import { IsInt, IsOptional } from 'class-validator';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type StartedApp, startApp, startRefusal } from '../../../support/start-app.js';
import { baseContract, getOf, json, type Part, postOf } from '../base-contract.js';

class Numbered {
  @IsInt()
  @TypeOf(() => Number)
  thingId: number;
}

class Counts {
  @IsOptional()
  @IsInt({ each: true })
  @TypeOf(() => Number)
  n?: number[];
}

class Count {
  @IsOptional()
  @IsInt()
  @TypeOf(() => Number)
  n?: number;
}

@Controller('things')
class ByPath {
  @Get(':thingId')
  get(@Param('thingId') thingId: number): object {
    return { n: thingId };
  }

  @Post()
  add(): object {
    return {};
  }
}

@Controller('things')
class ByWholePath {
  @Get(':thingId')
  get(@Param() { thingId }: Numbered): object {
    return { n: thingId };
  }

  @Post()
  add(): object {
    return {};
  }
}

@Controller('things')
class ByQuery {
  @Get(':thingId')
  get(): object {
    return {};
  }

  @Post()
  add(@Query('n') n: number): object {
    return { n };
  }
}

@Controller('things')
class ByBody {
  @Get(':thingId')
  get(): object {
    return {};
  }

  @Post()
  add(@Body() { n }: Count): object {
    return { n };
  }
}

@Controller('things')
class ByList {
  @Get(':thingId')
  get(): object {
    return {};
  }

  @Post()
  add(@Body() { n }: Counts): object {
    return { n };
  }
}

const file = join(mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'numbers-')), 'openapi.yaml');

interface Place {
  readonly controller: Type<object>;
  readonly declare: (contract: Part, schema: object) => void;
  readonly taker: string;
  readonly name: string;
}

const PLACES: readonly Place[] = [
  {
    controller: ByPath,
    declare: (contract, schema) => (getOf(contract).parameters[0].schema = schema),
    taker: 'ByPath.get',
    name: 'thingId',
  },
  {
    controller: ByQuery,
    declare: (contract, schema) => (postOf(contract).parameters = [{ name: 'n', in: 'query', schema }]),
    taker: 'ByQuery.add',
    name: 'n',
  },
  {
    controller: ByBody,
    declare: (contract, schema) =>
      (postOf(contract).requestBody.content = json({ type: 'object', properties: { n: schema } })),
    taker: 'Count',
    name: 'n',
  },
  {
    controller: ByWholePath,
    declare: (contract, schema) => (getOf(contract).parameters[0].schema = schema),
    taker: 'Numbered',
    name: 'thingId',
  },
  {
    controller: ByList,
    declare: (contract, items) =>
      (postOf(contract).requestBody.content = json({ type: 'object', properties: { n: { type: 'array', items } } })),
    taker: 'Counts',
    name: 'n',
  },
  {
    controller: ByBody,
    declare: (contract, schema) =>
      (postOf(contract).requestBody.content = json({ type: 'object', properties: { n: { allOf: [schema] } } })),
    taker: 'Count',
    name: 'n',
  },
];

function start({ controller, declare }: Place, schema: object): Promise<StartedApp> {
  @Module({ controllers: [controller] })
  class NumbersModule {}
  const contract = baseContract('3.0.3');
  declare(contract, schema);
  writeFileSync(file, JSON.stringify(contract));
  return startApp({}, { contractFile: file, features: [NumbersModule] });
}

describe.each(PLACES)('an integer that $taker takes as a number', (place) => {
  it.each([
    { format: 'int64' },
    {},
    { minimum: 0 },
    { minimum: 0, maximum: 2 ** 53 },
    { exclusiveMinimum: true, minimum: -(2 ** 60), maximum: 0 },
  ])('stops the start, because it may be rounded: %j', async (bounds) => {
    expect(await startRefusal(start(place, { type: 'integer', ...bounds }))).toBe(
      `FILE:1:1 ${place.name} may be beyond 2^53 here, but ${place.taker} makes it a number, which loses digits; take it with a pipe or a field that keeps them, or limit it here.`,
    );
  });

  it.each([{ format: 'int32' }, { minimum: 0, maximum: 2 ** 53 - 1 }])(
    'is taken where it cannot be: %j',
    async (bounds) => {
      expect(await start(place, { type: 'integer', ...bounds })).toBeDefined();
    },
  );
});
