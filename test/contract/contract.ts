import { dereference } from './documents/dereference.js';
import { CONTRACT_FILE, METHODS, readOpenApi } from './open-api.js';
import type { OpenApiDocument, OperationObject, Response } from './open-api.js';

/** The contract that responses are checked against. */
export interface Contract {
  /** The path prefix of operations, without a trailing slash. */
  readonly basePath: string;
  readonly operations: readonly Operation[];
  readonly protocolResponses: Readonly<Record<string, Response>>;
}

export interface Operation extends OperationObject {
  readonly method: string;
  readonly path: string;
  readonly name: string;
}

export function readContract(file: string | URL = CONTRACT_FILE): Contract {
  const document = dereference(readOpenApi(file));
  return {
    basePath: basePath(document),
    operations: operationsOf(document),
    protocolResponses: document['x-protocol-responses'] ?? {},
  };
}

/** The path of the first server with its variables at their defaults. */
export function basePath({ servers }: OpenApiDocument): string {
  const [server = { url: '/' }] = servers ?? [];
  const url = server.url.replace(/\{(\w+)\}/g, (_, name: string) => server.variables?.[name]?.default ?? '');
  return new URL(url, 'http://localhost').pathname.replace(/\/$/, '');
}

export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const name = operation.operationId ?? `${method.toUpperCase()} ${path}`;
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      return [{ ...operation, method: method.toUpperCase(), path, name, parameters }];
    }),
  );
}
