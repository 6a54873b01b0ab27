import type { ContractNode } from '../source/contract-node.js';
import { areSimilar } from '../source/similar-names.js';

/** Extensions that act, and the only construct where each of them does. Those of other tools are ignored. */
const PLACES = new Map([
  ['x-always-enforced', 'a schema'],
  ['x-demand', 'a schema'],
  ['x-deprecated-at', 'an operation'],
  ['x-protocol-responses', 'the document'],
  ['x-sunset', 'an operation'],
  ['x-successor', 'an operation'],
]);

const OF_DEPRECATED = ['x-deprecated-at', 'x-sunset', 'x-successor'];

/** Refuses an extension of ours where it would have no effect, and what looks like a misspelling of one that would have. */
export function checkExtension(member: ContractNode, construct: string): void {
  const { key } = member;
  const place = PLACES.get(key);
  if (place !== undefined && place !== construct)
    member.failAtName(`"${key}" has an effect only in ${place}; move it there, or remove it`);
  if (place !== undefined) return;
  const own = [...PLACES].find(([name, where]) => where === construct && areSimilar(name, key));
  if (own) member.failAtName(`"${key}" has no effect; write "${own[0]}", or another name`);
}

/** Refuses an extension of ours beside a reference, which leads away from it. */
export function checkExtensionOfReference(member: ContractNode): void {
  if (PLACES.has(member.key))
    member.failAtName(`"${member.key}" beside "$ref" has no effect; put the reference into "allOf", or remove it`);
}

/** They become headers of a deprecated operation. */
export function checkDeprecation(operation: ContractNode): void {
  if (operation.get('deprecated')?.value === true) return;
  for (const name of OF_DEPRECATED)
    operation
      .get(name)
      ?.failAtName(`"${name}" has an effect only on a deprecated operation; add "deprecated: true", or remove it`);
}
