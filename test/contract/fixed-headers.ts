import { WELL_FORMED } from '../../src/platform/http/outcomes/request-id.js';
import { addedVary } from './chosen-media-types.js';
import { type Contract, readContract } from './contract.js';
import type { OpenApiDocument, OperationObject, PathItem, Response } from './open-api.js';
import { METHODS } from './open-api.js';

const ALWAYS: Response['headers'] = {
  'X-Request-Id': { required: true, schema: { type: 'string', pattern: WELL_FORMED.source } },
};

/** Of successful responses, where requests are limited. */
const WHEN_LIMITED: Response['headers'] = {
  RateLimit: { schema: { type: 'string' } },
  'RateLimit-Policy': { schema: { type: 'string' } },
};

const WHEN_DEPRECATED: Response['headers'] = {
  Deprecation: { required: true, schema: { type: 'string' } },
  Sunset: { required: true, schema: { type: 'string' } },
  Link: { required: true, schema: { type: 'string' } },
};

/** Adds the headers that the HTTP layer and the rate limit, rather than a decorator, add to the responses of an operation. */
export function addFixedHeaders(
  document: OpenApiDocument,
  { operations }: Pick<Contract, 'operations'> = readContract(),
): OpenApiDocument {
  const declared = new Map(operations.map((operation) => [operation.operationId, operation]));
  const paths = Object.entries(document.paths).map(([path, item]) => [path, withHeaders(item, declared)] as const);
  return { ...document, paths: Object.fromEntries(paths) };
}

function withHeaders(item: PathItem, declared: ReadonlyMap<string | undefined, OperationObject>): PathItem {
  const changed = { ...item };
  for (const method of METHODS) {
    const operation = item[method];
    if (!operation) continue;
    const fixed = { ...ALWAYS, ...(operation.deprecated && WHEN_DEPRECATED) };
    // Copy the responses: the generated document shares them between operations.
    const responses = Object.entries(operation.responses).map(([status, response]) => [
      status,
      {
        ...response,
        headers: {
          ...addedVary(declared.get(operation.operationId), status),
          ...response.headers,
          ...(Number(status) < 400 && WHEN_LIMITED),
          ...fixed,
        },
      },
    ]);
    changed[method] = { ...operation, responses: Object.fromEntries(responses) };
  }
  return changed;
}
