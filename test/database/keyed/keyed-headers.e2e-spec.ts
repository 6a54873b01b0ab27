import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Module, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { DatabaseModule } from '../../../src/platform/database/database.module.js';
import { InjectTable } from '../../../src/platform/database/tables/inject-table.decorator.js';
import type { KeysetTable } from '../../../src/platform/database/tables/keyset-table.js';
import { PetEntity } from '../../../src/pets/pet.entity.js';
import { Client } from '../../support/http/client.js';
import { startApp, type StartOptions } from '../../support/start-app.js';

/** What the middleware sets before each handler. */
const GIVEN = { 'x-frame-options': ['DENY'], vary: ['Origin'], 'set-cookie': ['a=1', 'b=2'], 'x-old': ['yes'] };

type Change = (response: Response) => unknown;

const CHANGES: readonly [string, Change, Readonly<Record<string, readonly string[] | undefined>>][] = [
  ['adds', (response) => response.setHeader('X-New', 'yes'), { 'x-new': ['yes'] }],
  ['adds several of', (response) => response.setHeader('X-New', ['1', '2']), { 'x-new': ['1', '2'] }],
  [
    'replaces',
    (response) => response.setHeader('X-Frame-Options', 'SAMEORIGIN'),
    { 'x-frame-options': ['SAMEORIGIN'] },
  ],
  ['extends', (response) => response.vary('X-New'), { vary: ['Origin, X-New'] }],
  ['appends to', (response) => response.append('Set-Cookie', 'c=3'), { 'set-cookie': ['a=1', 'b=2', 'c=3'] }],
  ['shortens', (response) => response.setHeader('Set-Cookie', 'b=2'), { 'set-cookie': ['b=2'] }],
  ['removes', (response) => response.removeHeader('X-Old'), { 'x-old': undefined }],
  ['leaves', () => undefined, {}],
];

@Controller('things')
class ChangingController {
  constructor(@InjectTable(PetEntity) private readonly pets: KeysetTable<PetEntity>) {}

  @Post()
  async add(@Query('how') how: string, @Res({ passthrough: true }) response: Response): Promise<{ result: bigint }> {
    CHANGES.find(([name]) => name === how)![1](response); // each test names one
    return { result: await this.pets.insert({ name: 'Rex', categoryId: 7n }) };
  }
}

@Module({ imports: [DatabaseModule.forFeature(PetEntity)], controllers: [ChangingController] })
class ChangingModule {}

const given = (_request: unknown, response: Response, next: () => void): void => {
  for (const [name, values] of Object.entries(GIVEN)) {
    response.setHeader(name, values.length === 1 ? values[0]! : values); // each has at least one
  }
  next();
};

async function post(client: Client, how: string, key: string) {
  const path = `/v1/things?how=${encodeURIComponent(how)}`;
  const { status, text, headers, rawHeaders } = await client.post(path, {}, { headers: { 'idempotency-key': key } });
  // In their order, except those of the request itself.
  const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []));
  return { status, text, headers, lines: lines.filter((line) => !/^(x-request-id|date):/i.test(line)) };
}

describe('a repetition of a request with an Idempotency-Key', () => {
  let client: Client;

  beforeAll(async () => {
    const contractFile = fileURLToPath(new URL('things.openapi.yaml', import.meta.url));
    const prepare: StartOptions['prepare'] = (app) => app.use(given);
    const { port, key } = await startApp({}, { contractFile, features: [ChangingModule], prepare });
    // The contract declares none of the headers.
    client = new Client({ port, key, check: () => {} });
  });

  afterAll(() => client.close());

  it.each(CHANGES)('gets what the first one got when the handler %s a header', async (how, _, expected) => {
    const key = randomUUID();
    const first = await post(client, how, key);
    expect(first.status).toBe(201);
    const names = Object.keys({ ...GIVEN, ...expected });
    expect(Object.fromEntries(names.map((name) => [name, first.headers[name]]))).toEqual({ ...GIVEN, ...expected });
    const { headers: _headers, ...second } = await post(client, how, key);
    expect({ ...second, headers: first.headers }).toEqual(first);
  });
});
