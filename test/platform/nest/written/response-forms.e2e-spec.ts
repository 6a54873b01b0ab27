import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Header, Module, NotFoundException, Param } from '@nestjs/common';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { FAILED, outcome } from '../../../properties/outcome.js';
import { type StartedApp, startApp } from '../../../support/start-app.js';
import { baseContract, getOf, json } from '../../constructs/base-contract.js';
import { collectErrors } from '../toys/log.js';

const FORMS: [string, string][] = [
  ['Content-Encoding', 'gzip'],
  ['Transfer-Encoding', 'gzip'],
  ['Trailer', 'X-Checksum'],
];

/** A handler that sets a header of a body, and returns a list of things or fails. */
function start(name: string, value: string, type: string, body: unknown): Promise<StartedApp> {
  @Controller('things')
  class Things {
    @Get(':thingId')
    @Header(name, value)
    get(@Param('thingId') thingId: string): unknown {
      if (thingId === 'none') throw new NotFoundException('There is no such thing.');
      return body;
    }
  }

  @Module({ controllers: [Things] })
  class FormsModule {}
  const contract = baseContract('3.0.3');
  delete contract.paths['/things'];
  if (type === 'text/csv') getOf(contract).responses[200].content = { [type]: { schema: { type: 'string' } } };
  else getOf(contract).responses[200].content = json({ type: 'object', additionalProperties: true });
  const file = join(mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'forms-')), 'openapi.yaml');
  writeFileSync(file, JSON.stringify(contract));
  return startApp({}, { contractFile: file, features: [FormsModule] });
}

describe('a header that contradicts the body', () => {
  it.each(FORMS)('causes a 500 and a log entry beside the JSON of a handler: %s', async (name, value) => {
    const started = await start(name, value, 'application/json', { a: 1 });
    const errors = collectErrors(started.app);
    const response = await started.api.get('/v1/things/one');
    expect(outcome(response)).toEqual(FAILED);
    expect(response.headers[name.toLowerCase()]).toBeUndefined();
    expect(errors.join()).toContain(
      `getThing returned 200: the header ${name} is set, but the body is sent as plain JSON`,
    );
    await started.close();
  });

  it('is not sent with the error of a handler whose body is compressed', async () => {
    const started = await start('Content-Encoding', 'gzip', 'text/csv', gzipSync('a,b'));
    const response = await started.api.get('/v1/things/none');
    expect(response).toMatchObject({ status: 404, json: { message: 'There is no such thing.' } });
    expect(response.headers['content-encoding']).toBeUndefined();
    await started.close();
  });
});
