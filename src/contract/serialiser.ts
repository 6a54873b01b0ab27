import build, { type Schema } from 'fast-json-stringify';
import type { Serialiser } from './contract.js';
import type { ContractNode } from './contract-source.js';

/** Compiles a schema of the contract into a function that writes JSON text. */
export function compileSerialiser(schema: ContractNode): Serialiser {
  const plain = writable(schema, []);
  try {
    return build(plain as Schema);
  } catch (error) {
    return schema.fail(`the schema cannot be compiled: ${(error as Error).message}`);
  }
}

type ObjectSchema = { required?: string[]; properties?: Record<string, unknown> };

/** The schema without references and `allOf`, reduced to what decides how a value is written. */
function writable(schema: ContractNode, within: readonly string[]): object {
  const place = schema.path.join('/');
  if (within.includes(place)) schema.fail('a schema that contains itself cannot be compiled');
  const inside = [...within, place];

  const parts = schema.get('allOf')?.children();
  if (parts) return merge(parts.map((part) => writable(part, inside)));

  const type = schema.need('type').text();
  if (type === 'array') return { type, items: writable(schema.need('items'), inside) };
  if (type !== 'object') return { type, nullable: schema.get('nullable')?.value === true };
  return {
    type,
    required: (schema.get('required')?.children() ?? []).map((name) => name.text()),
    properties: Object.fromEntries(
      (schema.get('properties')?.children() ?? []).map((property) => [property.key, writable(property, inside)]),
    ),
  };
}

function merge(parts: ObjectSchema[]): object {
  return {
    type: 'object',
    required: parts.flatMap((part) => part.required ?? []),
    properties: Object.assign({}, ...parts.map((part) => part.properties)) as object,
  };
}
