import { resolve } from '../document.mjs';
import { normalise } from '../schemas/normalise.mjs';

const PARAMETER = /\{.+?\}/;

/**
 * Finds requests that go to another path than before: the service takes a path without parameters, then the first one that
 * matches. Both sides have `{ name, item }` by address, in the order of the document.
 */
export function compareRouting(before, after, context) {
  const [left, right] = [before, after].map(byPrecedence);
  for (const address of left.filter((kept) => right.includes(kept))) {
    const wereFirst = new Set(left.slice(0, left.indexOf(address)));
    const became = right.slice(0, right.indexOf(address)).filter((other) => !wereFirst.has(other));
    for (const other of became.filter((one) => mayTake(after[one].name, before[address], context.before)))
      context.at(before[address].name).breaking(`requests that also match ${after[other].name} go there`);
  }
}

const byPrecedence = (paths) =>
  Object.keys(paths).toSorted((one, other) => Number(one.includes('{')) - Number(other.includes('{')));

/** Whether a request can match both paths, with parameters that the second one accepts. */
function mayTake(taker, { name, item }, document) {
  const [taking, losing] = [taker, name].map((path) => path.split('/'));
  if (taking.length !== losing.length) return false;
  const schemas = Object.values(item).flatMap((operation) => operation?.parameters ?? []);
  const parameters = [...(item.parameters ?? []), ...schemas].map((parameter) => resolve(parameter, document));
  const accepts = (segment, text) => {
    const found = parameters.filter(({ in: where, name: one }) => where === 'path' && segment === `{${one}}`);
    return found.length === 0 || found.some(({ schema }) => canBe(text, normalise(schema, document)));
  };
  const isFilled = (at) => !PARAMETER.test(taking[at]) && PARAMETER.test(losing[at]);
  return taking.every((segment, at) => overlap(segment, losing[at]) && (!isFilled(at) || accepts(losing[at], segment)));
}

function overlap(one, other) {
  const [[start, end], [otherStart, otherEnd]] = [one, other].map((segment) => {
    const parts = segment.split(PARAMETER);
    return [parts[0], parts.length > 1 ? parts.at(-1) : undefined];
  });
  if (end === undefined && otherEnd === undefined) return one === other;
  if (end === undefined) return start.length > otherStart.length + otherEnd.length && fits(start, otherStart, otherEnd);
  if (otherEnd === undefined) return overlap(other, one);
  return (
    (start.startsWith(otherStart) || otherStart.startsWith(start)) && (end.endsWith(otherEnd) || otherEnd.endsWith(end))
  );
}

const fits = (text, start, end) => text.startsWith(start) && text.endsWith(end);

const TEXTS = {
  integer: /^-?\d+$/,
  number: /^-?\d/,
  boolean: /^(true|false)$/,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
};

/** Whether a path parameter can have the text; where that is not clear, it can. */
function canBe(text, { type = ['string'], enum: values, format, pattern }) {
  if (values && !values.some((value) => String(value) === text)) return false;
  if (format === 'uuid' && !TEXTS.uuid.test(text)) return false;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return false;
  return type.some((one) => TEXTS[one]?.test(text) ?? true);
}
