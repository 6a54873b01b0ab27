import { beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Delete, Get, Module, Param, Post } from '@nestjs/common';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp, type StartedApp } from '../../support/start-app.js';
import { baseContract, type Part } from './base-contract.js';

/** All that a path may have beside letters, digits and parameters. */
const LITERAL = "odd-._~$&',;=@";

@Controller()
class PathsController {
  @Get('things/:id')
  getThing(@Param() parameters: object): object {
    return { getThing: parameters };
  }

  @Get('things/mine')
  getMine(): object {
    return { getMine: {} };
  }

  @Post('things/:id.csv')
  addCsv(@Param() parameters: object): object {
    return { addCsv: parameters };
  }

  @Get('things/:id.json')
  getJson(@Param() parameters: object): object {
    return { getJson: parameters };
  }

  @Delete('things/:other')
  deleteThing(@Param() parameters: object): object {
    return { deleteThing: parameters };
  }

  @Get('spans/:from-:to')
  getSpan(@Param() parameters: object): object {
    return { getSpan: parameters };
  }

  @Get('spans/:a-:b-:c.csv')
  getLong(@Param() parameters: object): object {
    return { getLong: parameters };
  }

  @Get('spans/:id/all')
  getAll(@Param() parameters: object): object {
    return { getAll: parameters };
  }

  @Get('spans/first/:part')
  getFirst(@Param() parameters: object): object {
    return { getFirst: parameters };
  }

  @Post('things:batch')
  addBatch(): object {
    return { addBatch: {} };
  }

  @Post('things/:id\\:cancel')
  cancel(@Param() parameters: object): object {
    return { cancel: parameters };
  }

  @Post('things\\:clear')
  clear(): object {
    return { clear: {} };
  }

  @Get(LITERAL)
  getOdd(): object {
    return { getOdd: {} };
  }
}

@Module({ controllers: [PathsController] })
class PathsModule {}

/** In an order in which the first that matches is often not the one that is meant. */
const PATHS: readonly (readonly [path: string, method: string, id: string])[] = [
  ['/things/{id}', 'get', 'getThing'],
  ['/things/mine', 'get', 'getMine'],
  ['/things/{id}.csv', 'post', 'addCsv'],
  ['/things/{id}.json', 'get', 'getJson'],
  ['/things/{other}', 'delete', 'deleteThing'],
  ['/spans/{from}-{to}', 'get', 'getSpan'],
  ['/spans/{a}-{b}-{c}.csv', 'get', 'getLong'],
  ['/spans/{id}/all', 'get', 'getAll'],
  ['/spans/first/{part}', 'get', 'getFirst'],
  ['/things:batch', 'post', 'addBatch'],
  ['/things/{id}:cancel', 'post', 'cancel'],
  ['/things:clear', 'post', 'clear'],
  [`/${LITERAL}`, 'get', 'getOdd'],
];

function contract(): Part {
  const part = baseContract('3.0.3');
  const { responses } = part.paths['/things/{thingId}'].get;
  const content = responses[200];
  const statuses = { ...responses, 201: content, 403: responses[401] };
  part.paths = {};
  for (const [path, method, id] of PATHS) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    part.paths[path] = {
      [method]: {
        operationId: id,
        parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
        responses: statuses,
      },
    };
  }
  return part;
}

let service: StartedApp;

beforeAll(async () => {
  const directory = mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'paths-'));
  const contractFile = join(directory, 'openapi.yaml');
  writeFileSync(contractFile, JSON.stringify(contract()));
  service = await startApp({}, { contractFile, features: [PathsModule] });
});

function send(method: string, path: string): Promise<Response> {
  return fetch(`${service.baseUrl}/v1${path}`, { method, headers: { authorization: `Bearer ${service.key}` } });
}

describe('a path of the contract', () => {
  it.each<[string, string, object]>([
    ['GET', '/things/5', { getThing: { id: '5' } }],
    ['GET', '/things/mine', { getMine: {} }],
    ['GET', '/things/5.json', { getJson: { id: '5' } }],
    ['GET', '/things/a.json.json', { getJson: { id: 'a.json' } }],
    ['POST', '/things/5.csv', { addCsv: { id: '5' } }],
    ['GET', '/things/5.csv', { getThing: { id: '5.csv' } }],
    ['DELETE', '/things/5.csv', { deleteThing: { other: '5.csv' } }],
    ['DELETE', '/things/mine', { deleteThing: { other: 'mine' } }],
    ['GET', '/things/a%2Fb%2525', { getThing: { id: 'a/b%25' } }],
    ['GET', '/spans/1-2', { getSpan: { from: '1', to: '2' } }],
    ['GET', '/spans/1-2-3', { getSpan: { from: '1', to: '2-3' } }],
    ['GET', '/spans/1-2-3-4.csv', { getLong: { a: '1', b: '2', c: '3-4' } }],
    ['GET', '/spans/first/all', { getFirst: { part: 'all' } }],
    ['GET', '/spans/second/all', { getAll: { id: 'second' } }],
    ['POST', '/things:batch', { addBatch: {} }],
    ['POST', '/things/5:cancel', { cancel: { id: '5' } }],
    ['POST', '/things:clear', { clear: {} }],
    ['GET', `/${LITERAL}`, { getOdd: {} }],
  ])('leads to the operation that says most of it: %s %s', async (method, path, body) => {
    const response = await send(method, path);
    expect(await response.json()).toEqual(body);
    expect(response.status).toBe(method === 'POST' ? 201 : 200);
  });

  it.each<[string, string, string]>([
    ['PUT', '/things/5', 'DELETE, GET, HEAD, OPTIONS'],
    ['PUT', '/things/mine', 'DELETE, GET, HEAD, OPTIONS'],
    ['PUT', '/things/5.csv', 'DELETE, GET, HEAD, OPTIONS, POST'],
    ['GET', '/things:batch', 'OPTIONS, POST'],
  ])('allows the methods of all that match: %s %s', async (method, path, allow) => {
    const response = await send(method, path);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
  });

  it.each(['/things//', '/things/5/', '/things//5', '/spans/-2', '/spans/1-', '/spans/12', '/Things/5'])(
    'is written in full: GET %s is unknown',
    async (path) => {
      expect((await send('GET', path)).status).toBe(404);
    },
  );

  it('takes no long time to match, however long it is', async () => {
    // Processor time, which other processes do not affect.
    const start = process.cpuUsage();
    const { status } = await send('GET', `/spans/${'-a'.repeat(3000)}/`);
    expect(status).toBe(404);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(1000);
  });
});
