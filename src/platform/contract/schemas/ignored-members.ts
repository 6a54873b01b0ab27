import type { ContractNode } from '../source/contract-node.js';
import { flaggedOf, withAlternatives, withParts } from './schema-type.js';

/** Whether an object of a request may have members that nothing declares, so that a DTO drops them. */
export function ignoresOthers(schema: ContractNode): boolean {
  // Without any declaration, an object is passed on.
  return withAlternatives(schema).some(declaresMembers) && !saysOthers(schema);
}

function declaresMembers(schema: ContractNode): boolean {
  return (schema.get('properties')?.children() ?? []).length > 0;
}

/** The same for all objects inside of a value, at any depth. */
export function ignoresInside(schema: ContractNode): boolean {
  if (ignoresOthers(schema)) return true;
  const all = withAlternatives(schema);
  const hidden = new Set(flaggedOf(schema, 'readOnly'));
  const inner = (keyword: string) => all.flatMap((one) => one.get(keyword) ?? []);
  const members = inner('properties').flatMap((properties) => properties.children());
  const others = inner('additionalProperties').filter(({ value }) => typeof value === 'object');
  return [...members.filter(({ key }) => !hidden.has(key)), ...inner('items'), ...others].some(ignoresInside);
}

/** Whether a part, or each of its alternatives that declares members, says what becomes of those that it does not declare. */
function saysOthers(schema: ContractNode): boolean {
  return withParts(schema).some((part) => {
    if (part.get('additionalProperties')) return true;
    return ['oneOf', 'anyOf'].some((keyword) => {
      const alternatives = part.get(keyword)?.children() ?? [];
      return alternatives.some(saysOthers) && !alternatives.some(ignoresOthers);
    });
  });
}
