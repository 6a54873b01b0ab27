import { describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Part, writeContract } from '../../platform/constructs/base-contract.js';
import { closing, uncheckedClient } from '../../platform/nest/headers/opened.js';
import { elapsed } from '../../platform/nest/toys/elapsed.js';
import { startApp } from '../../support/start-app.js';

/** The contract of the service, with such a header in the response to a creation. */
function petsContract(): string {
  const contract: Part = parse(readFileSync('openapi.yaml', 'utf8'));
  const { responses } = contract.paths['/pets'].post;
  responses[201].headers['X-Elapsed'] = { required: true, schema: { type: 'integer' } };
  return writeContract(contract);
}

describe('a creation with an Idempotency-Key, whose response lacks a header until its head is written', () => {
  it.each([
    ['is stored with it', '12', 201, 1],
    ['is undone without it', '', 500, 0],
    ['is undone when it breaks its schema', 'soon', 500, 0],
    ['is undone when the middleware throws', 'none', 500, 0],
  ])('%s', async (_, value, status, count) => {
    const prepare = (app: INestApplication) => void app.use(elapsed);
    const started = await closing(startApp({}, { contractFile: petsContract(), prepare }));
    const client = uncheckedClient(started);
    const headers = { 'idempotency-key': '"1"', 'x-value': value };
    const body = { name: 'Rex', categoryId: 7 };
    for (let time = 0; time < 2; time += 1) {
      const response = await client.request('POST', '/v1/pets', { headers, body });
      expect([response.status, response.header('X-Elapsed')]).toEqual([status, status === 201 ? value : undefined]);
    }
    const { json: pets } = await client.request('GET', '/v1/pets');
    expect(pets).toHaveLength(count);
  });
});
