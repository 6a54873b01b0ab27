import { operationsOf, readContract } from './contract.js';
import type { OpenApiDocument, OperationObject } from './open-api.js';
import { METHODS } from './open-api.js';

const NAME = 'Idempotency-Key';
/** Responses of the platform to a request with a key. */
const STATUSES = ['409', '422'];

/** Adds the header and the responses of the platform, rather than of a decorator, to each operation that takes a key. */
export function addIdempotencyKeys(document: OpenApiDocument): OpenApiDocument {
  const taking = new Map(
    readContract().operations.flatMap((operation) =>
      operation.parameters?.some(({ name }) => name === NAME) ? [[operation.operationId, operation]] : [],
    ),
  );
  for (const { path, method } of operationsOf(document)) {
    const item = document.paths[path]!;
    const key = METHODS.find((name) => name.toUpperCase() === method)!;
    const declared = taking.get(item[key]!.operationId);
    if (declared) item[key] = withKey(item[key]!, declared);
  }
  return document;
}

function withKey(operation: OperationObject, declared: OperationObject): OperationObject {
  const parameters = declared.parameters!.filter(({ name }) => name === NAME);
  const responses = STATUSES.map((status) => {
    const { headers, ...response } = declared.responses[status]!; // the start refuses a key without them
    // A decorator describes a status of the operation's own, without the header of the platform.
    const own = operation.responses[status];
    return [status, { ...response, ...own, headers: { ...headers, ...own?.headers } }] as const;
  });
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), ...parameters],
    responses: { ...operation.responses, ...Object.fromEntries(responses) },
  };
}
