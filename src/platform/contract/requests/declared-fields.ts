import { isFlagged, isNullable, typeOf, withParts } from '../schemas/schema-type.js';
import type { ContractNode } from '../source/contract-node.js';

/** A member of a body, or a parameter of a query. */
export interface DeclaredField {
  /** `openapi.yaml:12:3` */
  readonly position: string;
  readonly isRequired: boolean;
  /** The keywords of its schema. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** By name. Those whose schema is composed, or has several parts, are left out. */
export type DeclaredFields = ReadonlyMap<string, DeclaredField>;

export function bodyFields(body: ContractNode | undefined): DeclaredFields {
  const parts = body ? withParts(body.need('content').need('application/json').need('schema')) : [];
  const required = new Set(parts.flatMap((part) => part.get('required')?.children() ?? []).map((name) => name.text()));
  const properties = parts.flatMap((part) => part.get('properties')?.children() ?? []);
  const isAlone = ({ key }: ContractNode) => properties.filter((other) => other.key === key).length === 1;
  return fieldsOf(
    properties.filter(isAlone).map((schema) => {
      const isRequired = required.has(schema.key) && !isFlagged(schema, 'readOnly');
      return { name: schema.key, isRequired, schema };
    }),
  );
}

export function queryFields(parameters: readonly ContractNode[]): DeclaredFields {
  return fieldsOf(
    parameters
      .filter((parameter) => parameter.need('in').value === 'query')
      .map((parameter) => ({
        name: parameter.need('name').text(),
        isRequired: isFlagged(parameter, 'required'),
        schema: parameter.need('schema'),
      })),
  );
}

interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: ContractNode;
}

function fieldsOf(fields: readonly Field[]): DeclaredFields {
  return new Map(
    fields
      .filter(({ schema }) => schema.get('type'))
      .map(({ name, isRequired, schema }) => {
        const keywords = { ...(schema.value as object), type: typeOf(schema), nullable: isNullable(schema) };
        return [name, { position: schema.position, isRequired, schema: keywords }];
      }),
  );
}
