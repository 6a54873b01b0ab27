import type { ContractNode } from '../source/contract-node.js';

/**
 * A schema and the parts of its `allOf` are written as one object, so the "additionalProperties" of each would apply
 * to the members of the others. `written` are the names of all members.
 */
export function checkFurtherMembers([schema, ...parts]: readonly ContractNode[], written: readonly string[]): void {
  if (!schema || parts.length === 0) return;
  for (const part of [schema, ...parts]) {
    const others = part.get('additionalProperties');
    if (!others || others.value === true) continue;
    const own = new Set(
      part
        .get('properties')
        ?.children()
        .map(({ key }) => key),
    );
    const foreign = written.find((name) => !own.has(name));
    if (foreign === undefined) continue;
    others.failAtName(
      `"additionalProperties" applies to "${foreign}", which stands elsewhere in the "allOf"; declare "${foreign}" here too, or remove "additionalProperties"`,
    );
  }
  const further = schema.get('additionalProperties');
  if (further && further.value !== false && parts.some((part) => part.get('additionalProperties')?.value === false))
    further.failAtName(
      '"additionalProperties" inside the "allOf" allows no further members; remove that one or this one',
    );
}
