import { METHODS, resolve } from '../../contract/document.mjs';
import { normalise } from '../schemas/normalise.mjs';

const PARAMETER = /\{.*?\}/;

/**
 * Finds requests that go to another path than before: of those that match and declare the method, the service takes the
 * first one by `byOwnText`. Both sides have `{ method, name, item }` by method and address, in the order of the document.
 */
export function compareRouting(before, after, context) {
  for (const method of METHODS) {
    const [left, right] = [before, after].map((paths) => byPrecedence(paths, method));
    for (const address of left.filter((kept) => right.includes(kept))) {
      const losing = before[address];
      const wereFirst = new Set(left.slice(0, left.indexOf(address)));
      const became = right.slice(0, right.indexOf(address)).filter((other) => !wereFirst.has(other));
      for (const { name } of became.map((other) => after[other]).filter(mayTakeFrom(losing, method, context.before)))
        context.at(`${method.toUpperCase()} ${losing.name}`).breaking(`requests that also match ${name} go there`);
    }
  }
}

/** Equal ones stay in the order of the document. */
const byPrecedence = (paths, method) =>
  Object.keys(paths)
    .filter((address) => paths[address].method === method)
    .toSorted(byOwnText);

/** As `byOwnText` of src/platform/contract/path-template.ts. */
export function byOwnText(one, other) {
  const [own, others] = [one, other].map((path) => path.split('/').map(ownText));
  return own.map((length, index) => (others[index] ?? 0) - length).find((difference) => difference !== 0) ?? 0;
}

const ownText = (segment) =>
  PARAMETER.test(segment) ? segment.split(PARAMETER).join('').length : Number.MAX_SAFE_INTEGER;

/** Whether a request can match both paths, with parameters that the losing one accepts. */
const mayTakeFrom =
  ({ name, item }, method, document) =>
  (taker) => {
    const [taking, losing] = [taker.name, name].map((path) => path.split('/'));
    if (taking.length !== losing.length) return false;
    const parameters = [...(item.parameters ?? []), ...(item[method].parameters ?? [])].map((parameter) =>
      resolve(parameter, document),
    );
    const accepts = (segment, text) => {
      const found = parameters.filter(({ in: where, name: one }) => where === 'path' && segment === `{${one}}`);
      return found.length === 0 || found.some(({ schema }) => canBe(text, normalise(schema, document)));
    };
    return taking.every((segment, at) => overlap(segment, losing[at]) && accepts(losing[at], segment));
  };

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

/** What such texts have beside the parameters of a segment. */
const PARTS = { integer: /^[-\d]*$/, uuid: /^[-\da-f]*$/i };

/** Whether a path parameter can have the text of a segment; where that is not clear, it can. */
function canBe(segment, { type = ['string'], enum: values, format, pattern }) {
  const text = segment.split(PARAMETER).join('');
  const forms = text === segment ? TEXTS : PARTS;
  if (values && !values.some((value) => overlap(segment, String(value)))) return false;
  if (format === 'uuid' && !forms.uuid.test(text)) return false;
  if (pattern !== undefined && text === segment && !new RegExp(pattern, 'u').test(text)) return false;
  return type.some((one) => forms[one]?.test(text) ?? true);
}
