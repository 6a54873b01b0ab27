import { beforeAll, describe, expect, it } from '@jest/globals';
import { collectErrors } from '../../nest/toys/log.js';
import { type StartedApp, startApp } from '../../../support/start-app.js';
import { baseContract, json, postOf, writeContract } from '../base-contract.js';
import { OrdersModule, received } from '../orders.module.js';

function contractFile(): string {
  const contract = baseContract('3.0.3');
  delete contract.paths['/things/{thingId}'];
  Object.assign(postOf(contract), {
    parameters: [
      { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
      { name: 'urgent', in: 'query', schema: { type: 'boolean' } },
    ],
    requestBody: {
      required: true,
      content: json({ type: 'object', properties: { note: { type: 'string' }, country: { type: 'string' } } }),
    },
  });
  postOf(contract).responses[201].content = json({ type: 'object', properties: { total: { type: 'integer' } } });
  const file = writeContract(contract);
  return file;
}

let service: StartedApp;
let errors: string[];

beforeAll(async () => {
  service = await startApp({}, { contractFile: contractFile(), features: [OrdersModule] });
  errors = collectErrors(service.app);
});

async function order(query: string, body: object): Promise<{ status: number; message?: string; seen: object }> {
  delete received.query;
  delete received.body;
  const { status, json: answer } = await service.api.post(`/v1/things${query}`, body);
  return { status, message: (answer as { message?: string }).message, seen: { ...received } };
}

describe('ordinary rules of class-validator', () => {
  it('let nothing more through when they are looser than the contract', async () => {
    expect(await order('?limit=200', {})).toEqual({
      status: 400,
      message: 'limit must be an integer from 1 to 100',
      seen: {},
    });
    expect(await order('?limit=100', {})).toMatchObject({ status: 201, seen: { query: { limit: 100 } } });
  });

  it('read a boolean of a query as it was sent', async () => {
    expect(await order('?urgent=false', {})).toMatchObject({ status: 201, seen: { query: { urgent: false } } });
    expect(await order('?urgent=true', {})).toMatchObject({ status: 201, seen: { query: { urgent: true } } });
  });

  it('with @IsOptional never see a null that the contract forbids', async () => {
    expect(await order('', { note: null })).toEqual({ status: 400, message: 'note must be a string', seen: {} });
  });

  it('apply when they are stricter than the contract, after conversions that see only the declared types', async () => {
    expect(await order('', { country: 'Germany' })).toMatchObject({
      status: 400,
      message: 'country must match /^[A-Z]{2}$/ regular expression',
    });
    expect(await order('', { country: 'de' })).toMatchObject({ status: 201, seen: { body: { country: 'DE' } } });
    expect(await order('', { country: 7 })).toMatchObject({ status: 400, message: 'country must be a string' });
  });

  it('never see a member that was not declared', async () => {
    expect(await order('', { note: 'a', secret: 1 })).toMatchObject({ status: 201, seen: { body: { note: 'a' } } });
    expect(received.body).not.toHaveProperty('secret');
  });
});

describe('a response that breaks the contract', () => {
  it('is a 500, and the log names the operation and the member, and says that changes are stored', async () => {
    expect(await order('', { note: 'bad' })).toMatchObject({ status: 500 });
    expect(errors.join()).toContain(
      'addThing returned 201: the response does not match openapi.yaml: total must be an integer (expected exact integer, got string); changes of the handler are stored',
    );
  });

  it('is a 500, and the log says that changes are stored, when the status is not declared', async () => {
    expect(await order('', { note: 'later' })).toMatchObject({ status: 500 });
    expect(errors.join()).toContain(
      'addThing returned 202, which openapi.yaml does not declare; changes of the handler are stored',
    );
  });
});
