import { COMBINATIONS } from './rows/combinations.js';
import { IDEMPOTENCY } from './rows/idempotency.js';
import { OPERATIONS } from './rows/operations.js';
import { PARAMETERS } from './rows/parameters.js';
import { PARTS } from './rows/parts.js';
import { RESPONSES } from './rows/responses.js';
import { SCHEMA_3_1 } from './rows/schema-3-1.js';
import { SCHEMA_STRUCTURES } from './rows/schema-structures.js';
import { SCHEMA_VALUES } from './rows/schema-values.js';
import type { Section } from './write-table.js';

export const SECTIONS: readonly Section[] = [
  { title: 'Document, operations, request bodies and security', rows: OPERATIONS },
  { title: 'Parameters', rows: PARAMETERS },
  { title: 'Idempotency-Key', rows: IDEMPOTENCY },
  { title: 'Responses, headers and components', rows: RESPONSES },
  { title: 'Schemas: values', rows: SCHEMA_VALUES },
  { title: 'Schemas: structures', rows: SCHEMA_STRUCTURES },
  { title: 'Schemas: parts that concern one another', rows: PARTS },
  { title: 'Schemas: OpenAPI 3.1, and documentation', rows: SCHEMA_3_1 },
  { title: 'Combinations', rows: COMBINATIONS },
];
