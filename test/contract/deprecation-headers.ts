import type { OpenApiDocument, PathItem, Response } from './open-api.js';
import { METHODS } from './open-api.js';

const HEADERS: Response['headers'] = {
  Deprecation: { required: true, schema: { type: 'string' } },
  Sunset: { required: true, schema: { type: 'string' } },
  Link: { required: true, schema: { type: 'string' } },
};

/**
 * Adds to the generated document what no decorator says: the edge puts these headers on every answer of an operation
 * that openapi.yaml deprecates.
 */
export function addDeprecationHeaders(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, item]) => [path, withHeaders(item)] as const);
  return { ...document, paths: Object.fromEntries(paths) };
}

function withHeaders(item: PathItem): PathItem {
  const changed = { ...item };
  for (const method of METHODS) {
    const operation = item[method];
    if (!operation?.deprecated) continue;
    // The generated document shares responses between operations, so none is changed in its place.
    const responses = Object.entries(operation.responses).map(([status, response]) => [
      status,
      { ...response, headers: { ...response.headers, ...HEADERS } },
    ]);
    changed[method] = { ...operation, responses: Object.fromEntries(responses) };
  }
  return changed;
}
