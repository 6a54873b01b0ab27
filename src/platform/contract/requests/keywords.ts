import { isNullable, typeOf } from '../schemas/schema-type.js';
import type { ContractNode } from '../source/contract-node.js';

/** Beside a single part, they change nothing of its values. */
const ANNOTATIONS = new Set(
  '$comment title description externalDocs example examples deprecated default readOnly writeOnly'.split(' '),
);

/** Beside `allOf`, `nullable` is false, which says nothing. */
const SILENT = new Set(['allOf', 'nullable']);

/** The keywords of a schema, also of its single part, as in `{ allOf: [{ $ref }], description }`. Undefined for a composed one. */
export function keywordsOf(schema: ContractNode): Readonly<Record<string, unknown>> | undefined {
  if (schema.get('type')) {
    return { ...(schema.value as object), type: typeOf(schema), nullable: isNullable(schema) };
  }
  const [part, ...parts] = schema.get('allOf')?.children() ?? [];
  const others = Object.fromEntries(Object.entries(schema.value as object).filter(([keyword]) => !SILENT.has(keyword)));
  const isPlain = Object.keys(others).every((keyword) => ANNOTATIONS.has(keyword) || keyword.startsWith('x-'));
  const keywords = part && parts.length === 0 && isPlain ? keywordsOf(part) : undefined;
  return keywords && { ...keywords, ...others };
}
