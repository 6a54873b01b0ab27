import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Param, StreamableFile } from '@nestjs/common';
import { FAILED, outcome } from '../../properties/outcome.js';
import { type StartedApp, startApp } from '../../support/start-app.js';
import { baseContract, getOf, writeContract } from '../constructs/base-contract.js';
import { collectErrors } from './toys/log.js';

const DISPOSITION = 'attachment; filename="things.csv"';

const FILES: Record<string, object> = {
  named: { disposition: DISPOSITION },
  'named-inline': { disposition: 'inline' },
  unnamed: {},
};

@Controller('things')
class Things {
  @Get(':thingId')
  get(@Param('thingId') thingId: string): StreamableFile {
    return new StreamableFile(Buffer.from('a,b'), FILES[thingId]);
  }
}

@Module({ controllers: [Things] })
class FilesModule {}

let started: StartedApp;

beforeAll(async () => {
  const contract = baseContract('3.0.3');
  delete contract.paths['/things'];
  const response = getOf(contract).responses[200];
  response.content = { 'text/csv': { schema: { type: 'string' } } };
  response.headers = {
    'Content-Disposition': { required: true, schema: { type: 'string', pattern: '^attachment; filename=".+"$' } },
  };
  const file = writeContract(contract);
  started = await startApp({}, { contractFile: file, features: [FilesModule] });
});

afterAll(async () => {
  await started.close();
});

describe('a file whose response requires a Content-Disposition', () => {
  it('is sent with its own', async () => {
    const response = await fetch(`${started.baseUrl}/v1/things/named`, {
      headers: { authorization: `Bearer ${started.key}` },
    });
    expect([response.status, response.headers.get('content-disposition'), await response.text()]).toEqual([
      200,
      DISPOSITION,
      'a,b',
    ]);
  });

  it.each([
    ['one that breaks the contract', 'named-inline', 'the header Content-Disposition must be a string that matches'],
    ['none', 'unnamed', 'the header Content-Disposition is missing'],
  ])('is replaced by a 500 with a log entry when it has %s', async (_, thingId, reason) => {
    const errors = collectErrors(started.app);
    const response = await started.api.get(`/v1/things/${thingId}`);
    expect([outcome(response), response.header('content-disposition')]).toEqual([FAILED, undefined]);
    expect(errors.join()).toContain(`getThing returned 200: ${reason}`);
  });
});
