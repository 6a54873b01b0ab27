import { operationsOf, type Operation } from '../contract/contract.js';
import { dereference } from '../contract/documents/dereference.js';
import type { OpenApiDocument, Schema } from '../contract/open-api.js';
import type { Client } from '../support/http/client.js';

/** The contract as the service returns it, with all references resolved. */
export async function servedContract(api: Client): Promise<OpenApiDocument> {
  return dereference((await api.get('/openapi.json')).json as OpenApiDocument);
}

export async function servedOperation(api: Client, name: string): Promise<Operation> {
  return operationsOf(await servedContract(api)).find((operation) => operation.name === name)!;
}

export async function servedSchema(api: Client, name: string): Promise<Schema> {
  return (await servedContract(api)).components!.schemas![name]!;
}

/** The contents of a field's row in a table of the specification, taken from the schema of the contract. */
export async function servedField(api: Client, schemaName: string, field: string) {
  const { properties, required } = await servedSchema(api, schemaName);
  const { type, format, enum: values, description } = properties![field]!;
  return { type, format, values, required: required!.includes(field), description };
}
