import { tagsOf } from '../../contract/tags.mjs';
import { compareBy, ignored, unjudged } from '../context.mjs';
import { haveDifferentTypes } from './apart.mjs';
import { compareBranches } from './branches.mjs';
import { comparable } from './comparable.mjs';
import { withDeclared } from './enforced.mjs';
import { compareExactness } from './exactness.mjs';
import { compareHiddenMembers } from './hidden-members.mjs';
import { KEYWORDS } from './keywords.mjs';
import { membersOf } from './members.mjs';
import { NEVER, normalise } from './normalise.mjs';
import { compareSharedMembers } from './shared-members.mjs';
import { compareDiscriminators, compareTagged } from './tags.mjs';

const UNIONS = ['oneOf', 'anyOf'];

/** Compares what the two schemas accept, for the direction of the context. */
export function compareSchemas(before, after, context) {
  context.enter(before, after, compareNormalised, normalise);
}

function compareNormalised(left, right, context) {
  if (left === NEVER && right !== NEVER) context.wider('values are accepted, none were before');
  else if (right === NEVER && left !== NEVER) context.narrower('no value is accepted any more');
  else if (left !== NEVER) compareFlat(left, right, context);
}

function compareFlat(left, right, context) {
  const sides = [left, right];
  if (sides.some(isPureUnion) && !sides.every(hasUnion) && !sides.some(isEmpty)) {
    const branches = (schema) => (isPureUnion(schema) ? UNIONS.flatMap((kind) => schema[kind] ?? []) : [schema]);
    compareBranches(branches(left), branches(right), 'oneOf' in right, context, compareSchemas);
    return;
  }
  compareBy(RULES, ...comparable(withDeclared(left, right, context), right), context);
  compareExactness(left, right, context);
  compareMembers(left, right, context);
  compareUnions(left, right, context);
  compareParts(left.allOf, right.allOf, context);
  compareSharedMembers(left, right, context, compareSchemas);
}

/** What `allOf` could not merge: each part restricts by itself. When their number changes, members may have moved between them. */
function compareParts(before = [], after = [], context) {
  if (before.length !== after.length) unjudged(before, after, context, 'allOf');
  else for (const [at, part] of before.entries()) compareFlat(part, after[at], context);
}

const isEmpty = (schema) => Object.keys(schema).length === 0;

const RULES = {
  ...KEYWORDS,
  // Compared by functions that see the whole schema.
  properties: ignored,
  required: ignored,
  additionalProperties: ignored,
  oneOf: ignored,
  anyOf: ignored,
  allOf: ignored,
  discriminator: compareDiscriminators,
  items: (before, after, context) => compareSchemas(before, after, context.at('items')),
};

function compareMembers(left, right, context) {
  const before = membersOf(left, context, context.before);
  const after = membersOf(right, context, context.after);
  const members = [before, after].flatMap(({ schemas, required }) => [...schemas.keys(), ...required]);
  for (const name of new Set(members)) {
    const inner = context.at(name);
    const [was, is] = [before, after].map(({ schemas }) => schemas.get(name));
    const [wasRequired, isRequired] = [before, after].map(({ required }) => required.has(name));
    if (was !== undefined && is === undefined) {
      inner.breaking('member removed');
    } else if (was === undefined && is !== undefined && !wasRequired) {
      compareNewMember(undeclaredIn(left), is, isRequired, inner);
    } else {
      if (!wasRequired && isRequired) inner.narrower('became required');
      if (wasRequired && !isRequired) inner.wider('became optional');
      compareSchemas(was, is, inner);
    }
  }
  compareHiddenMembers({ schema: left, ...before }, { schema: right, ...after }, context);
  compareUndeclared(left.additionalProperties, right.additionalProperties, context.at('undeclared members'));
}

/** A response has undeclared members only where the contract permits them; a request may have them also by default. */
function compareUndeclared(before, after, context) {
  const [were, are] = [before, after].map((schema) => schema !== undefined && schema !== false);
  // Such a response has declared members only, whether `additionalProperties` is false or absent.
  if (context.direction === 'response' && !were && !are) return;
  if (context.direction === 'response' && were && !are) context.breaking('are no longer returned');
  else if (context.direction === 'response' && before === undefined && after === true) context.additive('are returned');
  else compareSchemas(before, after, context);
}

/** The default, true, allows anything, so there is nothing to compare. */
const undeclaredIn = ({ additionalProperties }) => (additionalProperties === true ? undefined : additionalProperties);

/** `undeclared` is the schema that the member had to match before. */
function compareNewMember(undeclared, schema, isRequired, context) {
  if (isRequired) context.narrower('required member added');
  if (undeclared === false) context.wider('member added to a closed object');
  else if (!isRequired) context.additive('optional member added');
  if (undeclared !== undefined && undeclared !== false) compareSchemas(undeclared, schema, context);
}

/** Whether alternatives are all that the schema consists of. */
function isPureUnion(schema) {
  const names = Object.keys(schema).filter((name) => !['title', 'description', 'example'].includes(name));
  return names.length === 1 && UNIONS.includes(names[0]);
}

const hasUnion = (schema) => UNIONS.some((kind) => kind in schema);

function compareUnions(left, right, context) {
  const [kindBefore, kindAfter] = [left, right].map((schema) => UNIONS.filter((kind) => kind in schema));
  const [[before], [after]] = [kindBefore, kindAfter];
  const isMixed = kindBefore.length > 1 || kindAfter.length > 1;
  const [tagsBefore, tagsAfter] = isMixed ? [] : [tagsOf(left, before), tagsOf(right, after)];
  if (!tagsBefore || !tagsAfter)
    unjudged(left.discriminator?.mapping, right.discriminator?.mapping, context, 'mapping');

  if (isMixed) {
    if (UNIONS.some((kind) => !context.isSame(left[kind], right[kind]))) context.unjudged('oneOf and anyOf changed');
  } else if (before === undefined || after === undefined) {
    if (after !== undefined) context.narrower(`${after} added`);
    if (before !== undefined) context.wider(`${before} removed`);
  } else {
    if (before !== after) compareKinds(before, after, right, context);
    if (tagsBefore && tagsAfter) compareTagged(tagsBefore, tagsAfter, context, compareSchemas);
    else compareBranches(left[before], right[after], after === 'oneOf', context, compareSchemas, besideUnion(right));
  }
}

const besideUnion = ({ properties, allOf = [] }) => [...(properties ? [{ properties }] : []), ...allOf];

/** A value that matches two alternatives is accepted by `anyOf` only. */
function compareKinds(before, after, { oneOf, anyOf }, context) {
  const what = `${before} → ${after}`;
  const isSame = haveDifferentTypes(oneOf ?? anyOf, context.after);
  if (isSame && (after === 'anyOf' || context.direction === 'request')) context.documentation(what);
  else if (after === 'anyOf') context.wider(what);
  else context.narrower(what);
}
