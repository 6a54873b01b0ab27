import { basePath, operationsOf } from './contract.js';
import { dereference } from './documents/dereference.js';
import { differences } from './facts/facts.js';
import type { Facts } from './facts/facts.js';
import type { OpenApiDocument } from './open-api.js';
import { operationFacts } from './facts/operation-facts.js';

const SIDES = { left: 'openapi.yaml', right: 'the code' };

/** One sentence for each difference that a caller could notice. */
export function compareDocuments(contract: OpenApiDocument, code: OpenApiDocument): string[] {
  // Paths of the code include the base path; those of openapi.yaml are relative to it.
  const prefix = basePath(contract);
  const names = new Map([...operationNames(code, prefix), ...operationNames(contract, '')]);
  return [
    ...differences(documentFacts(contract, '', names), documentFacts(code, prefix, names), SIDES),
    ...differences(schemeFacts(contract), schemeFacts(code), SIDES),
  ];
}

function documentFacts(document: OpenApiDocument, prefix: string, names: ReadonlyMap<string, string>): Facts {
  const plain = dereference(document);
  return Object.fromEntries(
    operationsOf(plain).map((operation) => {
      const key = `${operation.method} ${withoutPrefix(operation.path, prefix)}`;
      return [names.get(key)!, operationFacts(operation, plain.security ?? [])];
    }),
  );
}

/** The name of each operation in a sentence: `GET /pets (listPets)`. */
function operationNames(document: OpenApiDocument, prefix: string): [string, string][] {
  return operationsOf(document).map(({ method, path, operationId }) => {
    const key = `${method} ${withoutPrefix(path, prefix)}`;
    return [key, operationId === undefined ? key : `${key} (${operationId})`];
  });
}

function schemeFacts({ components }: OpenApiDocument): Facts {
  return Object.fromEntries(
    Object.entries(components?.securitySchemes ?? {}).map(([name, scheme]) => [
      `security scheme ${name}`,
      Object.fromEntries(Object.entries(scheme).filter(([member]) => member !== 'description')),
    ]),
  );
}

function withoutPrefix(path: string, prefix: string): string {
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}
