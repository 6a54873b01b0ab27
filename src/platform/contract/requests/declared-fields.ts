import { isFlagged, isNullable, typeOf, withParts } from '../schemas/schema-type.js';
import type { ContractNode } from '../source/contract-node.js';

/** A member of a body, or a parameter of a query. */
export interface DeclaredField {
  /** `openapi.yaml:12:3` */
  readonly position: string;
  readonly isRequired: boolean;
  readonly isReadOnly: boolean;
  /** The keywords of its schema; undefined when that is composed or has several parts. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

/** By name. */
export type DeclaredFields = ReadonlyMap<string, DeclaredField>;

export function bodyFields(body: ContractNode | undefined): DeclaredFields {
  const parts = body ? withParts(body.need('content').need('application/json').need('schema')) : [];
  const required = new Set(parts.flatMap((part) => part.get('required')?.children() ?? []).map((name) => name.text()));
  const properties = parts.flatMap((part) => part.get('properties')?.children() ?? []);
  const isAlone = ({ key }: ContractNode) => properties.filter((other) => other.key === key).length === 1;
  return fieldsOf(
    properties.map((schema) => {
      const isReadOnly = isFlagged(schema, 'readOnly');
      const isRequired = required.has(schema.key) && !isReadOnly;
      return { name: schema.key, isRequired, isReadOnly, schema, isAlone: isAlone(schema) };
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
        isReadOnly: false,
        schema: parameter.need('schema'),
        isAlone: true,
      })),
  );
}

interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isReadOnly: boolean;
  readonly schema: ContractNode;
  /** Whether it is all that is declared of the field. */
  readonly isAlone: boolean;
}

function fieldsOf(fields: readonly Field[]): DeclaredFields {
  return new Map(
    fields.map(({ name, isRequired, isReadOnly, schema, isAlone }) => {
      const keywords = isAlone && schema.get('type') ? keywordsOf(schema) : undefined;
      return [name, { position: schema.position, isRequired, isReadOnly, schema: keywords }];
    }),
  );
}

function keywordsOf(schema: ContractNode): Readonly<Record<string, unknown>> {
  return { ...(schema.value as object), type: typeOf(schema), nullable: isNullable(schema) };
}
