import { ADDITIVE, BREAKING } from '../context.mjs';
import { areApart } from './apart.mjs';

/**
 * Compares alternatives without a discriminator: pairs those that mean the same, then those of the same name; one that is left
 * on both sides is taken for the same one, changed. With `isExclusive`, a value must match one of `after` only. `beside` are
 * schemas beside `after`, whose members requests for each alternative can have.
 */
export function compareBranches(before, after, isExclusive, context, compareSchemas, beside = []) {
  const { pairs, removed, added } = paired(before, after, context, compareSchemas);
  for (const [was, is] of pairs) compareSchemas(was, is, context);
  for (const branch of removed) context.narrower(`alternative removed: ${labelOf(branch)}`);
  for (const branch of added) context.wider(`alternative added: ${labelOf(branch)}`);
  if (!isExclusive || context.direction !== 'request') return;

  const widened = pairs.filter((pair) => context.isWider((probe) => compareSchemas(...pair, probe)));
  for (const branch of [...widened.map(([, is]) => is), ...added]) {
    const others = after.filter((other) => other !== branch);
    const whole = (part) => (beside.length === 0 ? part : { allOf: [...beside, part] });
    if (!others.every((other) => areApart(whole(other), whole(branch), context.after)))
      context.unjudged(`a value may match ${labelOf(branch)} and another alternative`);
  }
}

function paired(before, after, context, compareSchemas) {
  const added = [...after];
  const pairs = [];
  const takePairs = (branches, isPair) =>
    branches.filter((branch) => {
      const found = added.findIndex((other) => isPair(branch, other));
      if (found !== -1) pairs.push([branch, ...added.splice(found, 1)]);
      return found === -1;
    });
  const isEqual = (branch, other) => {
    const verdicts = context.verdictsOf((probe) => compareSchemas(branch, other, probe));
    return !verdicts.has(BREAKING) && !verdicts.has(ADDITIVE);
  };
  const different = takePairs(before, isEqual);
  const removed = takePairs(different, (branch, other) => branch.$ref !== undefined && branch.$ref === other.$ref);
  if (removed.length === 1 && added.length === 1) pairs.push([removed.pop(), added.pop()]);
  return { pairs, removed, added };
}

const labelOf = ({ $ref, title, type }) => $ref?.split('/').at(-1) ?? title ?? type ?? 'without a name';
