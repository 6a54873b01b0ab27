import { Controller, Module, Post } from '@nestjs/common';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeJson } from '../../support/contract/exact-json.js';
import { type StartedApp, startApp } from '../../support/start-app.js';
import { baseContract, json, postOf } from './base-contract.js';

/** What a parameter takes: the decorator, and the type that TypeScript emits for it. */
export type Taken = readonly [ParameterDecorator, unknown];

/** The application with this body, whose handler returns what it gets as text. */
export function startTaking([decorate, type]: Taken, body: object, textOf = writeJson): Promise<StartedApp> {
  @Controller('things')
  class Things {
    @Post()
    add(value: unknown): object {
      return { seen: textOf(value) };
    }
  }
  decorate(Things.prototype, 'add', 0);
  Reflect.defineMetadata('design:paramtypes', [type], Things.prototype, 'add');
  @Module({ controllers: [Things] })
  class ThingsModule {}
  const contract = baseContract('3.0.3');
  delete contract.paths['/things/{thingId}'];
  postOf(contract).requestBody = { required: true, content: json(body) };
  postOf(contract).responses[201].content = json({ type: 'object', properties: { seen: { type: 'string' } } });
  const file = join(mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'taking-')), 'openapi.yaml');
  writeFileSync(file, writeJson(contract));
  return startApp({}, { contractFile: file, features: [ThingsModule] });
}
