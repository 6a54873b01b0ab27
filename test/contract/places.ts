import { readOpenApi } from './open-api.js';
import { dereference } from './documents/dereference.js';
import type { OpenApiDocument, OperationObject, Schema } from './open-api.js';

export interface Places {
  readonly document: OpenApiDocument;
  readonly list: OperationObject;
  readonly create: OperationObject;
  readonly get: OperationObject;
  readonly limit: Schema;
  readonly status: Schema;
  readonly newPet: Schema;
}

/** A copy of openapi.yaml in which each place can be changed alone. */
export function places(): Places {
  const document = dereference(readOpenApi());
  const [pets, pet] = [document.paths['/pets']!, document.paths['/pets/{petId}']!];
  const [list, create, get] = [pets.get!, pets.post!, pet.get!];
  return {
    document,
    list,
    create,
    get,
    limit: list.parameters![0]!.schema!,
    status: list.parameters![1]!.schema!,
    newPet: create.requestBody!.content!['application/json']!.schema!,
  };
}
