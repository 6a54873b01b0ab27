import { documentation, ignored, unjudged } from '../context.mjs';
import { shown } from '../../contract/document.mjs';
import { orderOf } from './normalise.mjs';

const change = (name, before, after) => `${name} ${shown(before)} → ${shown(after)}`;

/** A restriction without an order: adding it narrows, removing it widens, another value may do both. */
function restriction(before, after, context, name) {
  if (context.isSame(before, after)) return;
  if (before === undefined) context.narrower(change(name, before, after));
  else if (after === undefined) context.wider(change(name, before, after));
  else context.unjudged(change(name, before, after));
}

/** `sign` is 1 if a higher value accepts less, -1 if it accepts more. */
const limit = (sign) => (before, after, context, name) => {
  if (before === undefined || after === undefined || before === after) restriction(before, after, context, name);
  else if (sign * (after > before ? 1 : -1) > 0) context.narrower(change(name, before, after));
  else context.wider(change(name, before, after));
};

const boundText = ({ value, isOpen } = {}) => (isOpen ? `${value} (exclusive)` : (value ?? 'none'));

const bound = (sign, label) => (before, after, context) => {
  const what = `${label} ${boundText(before)} → ${boundText(after)}`;
  const order =
    before && after ? sign * orderOf(after, before, sign) : Number(Boolean(after)) - Number(Boolean(before));
  if (order > 0) context.narrower(what);
  if (order < 0) context.wider(what);
};

/** Every integer is a number. */
const typesText = (types = ['any']) =>
  types.filter((one) => one !== 'integer' || !types.includes('number')).join(' | ');

const isSubset = (some, all) => some.every((one) => all.includes(one));

function type(left, right, context, name) {
  const what = `${name} ${typesText(left)} → ${typesText(right)}`;
  if (left && right && isSubset(left, right) && isSubset(right, left)) return;
  if (!left || (right && isSubset(right, left))) context.narrower(what);
  else if (!right || isSubset(left, right)) context.wider(what);
  else context.breaking(what);
}

function values(before, after, context, name) {
  if (before === undefined || after === undefined) return restriction(before, after, context, name);
  const without = (some, others) => some.filter((value) => !others.some((other) => context.isSame(value, other)));
  for (const value of without(before, after)) context.narrower(`${name} without ${shown(value)}`);
  for (const value of without(after, before)) context.wider(`${name} with ${shown(value)}`);
}

/** Exactly: 0.3 is no multiple of 0.1 for doubles, and large numbers are multiples of too many. */
function isMultiple(a, b) {
  const [one, other] = [a, b].map(decimal);
  const scale = Math.max(one.scale, other.scale);
  const [whole, step] = [one, other].map((each) => each.units * 10n ** BigInt(scale - each.scale));
  return step !== 0n && whole % step === 0n;
}

/** A positive number as `units` divided by ten, `scale` times. */
function decimal(value) {
  const [digits, exponent = '0'] = String(value).split('e');
  const [whole, fraction = ''] = digits.split('.');
  return { units: BigInt(`${whole}${fraction}`), scale: fraction.length - Number(exponent) };
}

function multipleOf(before, after, context, name) {
  if (before === undefined || after === undefined || before === after) restriction(before, after, context, name);
  else if (isMultiple(after, before)) context.narrower(change(name, before, after));
  else if (isMultiple(before, after)) context.wider(change(name, before, after));
  else context.unjudged(change(name, before, after));
}

/** Each format accepts what the one before it accepts. */
const NESTED_FORMATS = [
  ['int32', 'int64'],
  ['float', 'double'],
];

/** It says only how a form shows the value. */
const SHOWN_AS = 'password';

/** With them, the service rounds a number that a double does not hold exactly, and refuses it otherwise. */
const ROUNDING = new Set(['float', 'double']);

/** With them, a text stands for bytes, so the same text means something else. */
const BYTES = new Set(['byte', 'binary']);

function format(before, after, context, name) {
  const [was, is] = [before, after].map((one) => (one === SHOWN_AS ? undefined : one));
  if (was === is) documentation(before, after, context, name);
  else if (BYTES.has(was) || BYTES.has(is)) context.breaking(change(name, before, after));
  else if (context.direction === 'request' && was === undefined && ROUNDING.has(is))
    context.wider(change(name, before, after));
  else if (context.direction === 'request' && ROUNDING.has(was) && is === undefined)
    context.narrower(change(name, before, after));
  else compareFormats(was, is, context, name);
}

function compareFormats(before, after, context, name) {
  const nested = NESTED_FORMATS.find((formats) => formats.includes(before) && formats.includes(after));
  if (!nested || before === after) restriction(before, after, context, name);
  else if (nested.indexOf(after) > nested.indexOf(before)) context.wider(change(name, before, after));
  else context.narrower(change(name, before, after));
}

/** The service fills in the defaults of requests only. */
function standard(before, after, context, name) {
  const rule = context.direction === 'response' ? documentation : unjudged;
  rule(before, after, context, name);
}

/** The keywords of a schema that hold no other schemas. */
export const KEYWORDS = {
  title: documentation,
  description: documentation,
  example: documentation,
  examples: documentation,
  externalDocs: documentation,
  deprecated: documentation,
  $comment: documentation,
  // The wording of an error message.
  'x-demand': documentation,
  // Says which keywords were enforced before they were declared; `withDeclared` reads it.
  'x-always-enforced': ignored,
  // They decide which members a direction has.
  readOnly: ignored,
  writeOnly: ignored,
  default: standard,
  type,
  enum: values,
  format,
  multipleOf,
  lower: bound(1, 'minimum'),
  upper: bound(-1, 'maximum'),
  minLength: limit(1),
  minItems: limit(1),
  minProperties: limit(1),
  maxLength: limit(-1),
  maxItems: limit(-1),
  maxProperties: limit(-1),
  pattern: restriction,
  uniqueItems: restriction,
};
