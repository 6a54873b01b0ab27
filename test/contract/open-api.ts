import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The part of OpenAPI 3.0 that contracts of this service use. Integers may be bigint: YAML is read exactly. */
export interface OpenApiDocument {
  servers?: { url: string; variables?: Record<string, { default: string }> }[];
  security?: SecurityRequirement[];
  paths: Record<string, PathItem>;
  components?: { schemas?: Record<string, Schema>; securitySchemes?: Record<string, SecurityScheme> };
  'x-protocol-responses'?: Record<string, Response>;
}

export type PathItem = { parameters?: Parameter[] } & { [method in Method]?: OperationObject };

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
export type Method = (typeof METHODS)[number];

export interface OperationObject {
  operationId?: string;
  tags?: string[];
  deprecated?: boolean;
  parameters?: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, Response>;
  security?: SecurityRequirement[];
}

export interface Parameter {
  name: string;
  in: 'query' | 'path' | 'header' | 'cookie';
  required?: boolean;
  style?: string;
  schema?: Schema;
}

export interface RequestBody {
  required?: boolean;
  content?: Record<string, MediaType>;
}

export interface Response {
  headers?: Record<string, Header>;
  content?: Record<string, MediaType>;
}

export interface Header {
  required?: boolean;
  schema?: Schema;
}

export interface MediaType {
  schema?: Schema;
}

export interface Schema {
  type?: string;
  format?: string;
  nullable?: boolean;
  enum?: unknown[];
  default?: unknown;
  minimum?: number | bigint;
  maximum?: number | bigint;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  [keyword: string]: unknown;
}

export type SecurityRequirement = Record<string, string[]>;

export type SecurityScheme = Record<string, string>;

export const CONTRACT_FILE = new URL('../../openapi.yaml', import.meta.url);

export function readOpenApi(file: string | URL = CONTRACT_FILE): OpenApiDocument {
  return parse(readFileSync(file, 'utf8'), { intAsBigInt: true }) as OpenApiDocument;
}
