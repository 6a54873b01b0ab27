import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A part of a contract that a row of the table may change in any way. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Part = any;

const ERROR = { description: 'Refused.', content: json({ $ref: '#/components/schemas/Error' }) };

export function json(schema: object): object {
  return { 'application/json': { schema } };
}

function errors(...statuses: number[]): object {
  return Object.fromEntries(statuses.map((status) => [status, ERROR]));
}

/** The smallest contract that the service accepts: one operation with a body, one with a path parameter. */
export function baseContract(version: string): Part {
  return {
    openapi: version,
    info: { title: 'Things', version: '1.0.0' },
    servers: [{ url: '/v1' }],
    security: [{ apiKey: [] }],
    paths: {
      '/things': {
        post: {
          operationId: 'addThing',
          parameters: [],
          requestBody: { content: json({ type: 'object' }) },
          responses: {
            201: { description: 'Added.', content: json({ type: 'object', additionalProperties: true }) },
            ...errors(400, 401, 403, 413, 415, 500, 503),
          },
        },
      },
      '/things/{thingId}': {
        get: {
          operationId: 'getThing',
          parameters: [{ name: 'thingId', in: 'path', required: true, schema: { type: 'string' } }],
          responses: {
            200: { description: 'Found.', content: json({ type: 'object', additionalProperties: true }) },
            ...errors(401, 403, 404, 500, 503),
          },
        },
      },
    },
    'x-protocol-responses': errors(404),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Error: {
          type: 'object',
          required: ['code', 'message', 'status'],
          properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
        },
      },
    },
  };
}

export const postOf = (contract: Part): Part => contract.paths['/things'].post;
export const getOf = (contract: Part): Part => contract.paths['/things/{thingId}'].get;

/** Returns the file of a contract, which is removed at the end of the run. */
export function writeContract(contract: Part): string {
  const file = join(mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'contract-')), 'openapi.yaml');
  writeFileSync(file, JSON.stringify(contract));
  return file;
}
