import { WELL_FORMED } from '../../src/platform/http/outcomes/request-id.js';
import type { OpenApiDocument, PathItem, Response } from './open-api.js';
import { METHODS } from './open-api.js';

const ALWAYS: Response['headers'] = {
  'X-Request-Id': { required: true, schema: { type: 'string', pattern: WELL_FORMED.source } },
};

const WHEN_DEPRECATED: Response['headers'] = {
  Deprecation: { required: true, schema: { type: 'string' } },
  Sunset: { required: true, schema: { type: 'string' } },
  Link: { required: true, schema: { type: 'string' } },
};

/** Adds the headers that the HTTP layer, rather than a decorator, adds to every response of an operation. */
export function addFixedHeaders(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, item]) => [path, withHeaders(item)] as const);
  return { ...document, paths: Object.fromEntries(paths) };
}

function withHeaders(item: PathItem): PathItem {
  const changed = { ...item };
  for (const method of METHODS) {
    const operation = item[method];
    if (!operation) continue;
    const fixed = { ...ALWAYS, ...(operation.deprecated && WHEN_DEPRECATED) };
    // Copy the responses: the generated document shares them between operations.
    const responses = Object.entries(operation.responses).map(([status, response]) => [
      status,
      { ...response, headers: { ...response.headers, ...fixed } },
    ]);
    changed[method] = { ...operation, responses: Object.fromEntries(responses) };
  }
  return changed;
}
