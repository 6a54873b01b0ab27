import { BREAKING, compareBy, compareEach, documentation, unjudged } from '../context.mjs';
import { namesOf, resolve } from '../../contract/document.mjs';
import { compareSchemas } from '../schemas/schemas.mjs';
import { compareContent, FIELD, withStyle } from './content.mjs';

const isError = (status) => /^[45]/.test(status);

/** The response that is declared for a status: its own, that of its range, or the default. */
const declaredFor = (status, responses) => responses[status] ?? responses[`${status[0]}XX`] ?? responses.default;

export function compareResponses(before = {}, after = {}, context) {
  for (const status of namesOf(before, after)) {
    const inner = context.at(status);
    const [was, is] = [before, after].map((responses) => declaredFor(status, responses));
    if (status.startsWith('x-')) unjudged(before[status], after[status], context, status);
    else if (was === undefined) compareNewStatus(status, is, inner);
    else if (is !== undefined) inner.enter(was, is, (left, right, at) => compareBy(RESPONSE, left, right, at));
    else if (isError(status) || status === 'default') inner.additive('status removed');
    else inner.breaking('status removed');
  }
}

const RESPONSE = { description: documentation, headers: compareHeaders, content: compareContent, links: compareLinks };

/** A client that handles the errors of today handles a new one with the same body, and a default that looks like them. */
function compareNewStatus(status, response, context) {
  // Without this status, the service sends the first media type to a client that accepts none of them.
  if (status === '406') context.breaking('unacceptable requests are refused');
  else if ((isError(status) || status === 'default') && hasKnownErrorBody(response, context))
    context.additive('error status added');
  else context.breaking('status added');
}

function hasKnownErrorBody(response, context) {
  const known = errorsOf(context.before).flatMap((error) => bodiesOf(error, context.before));
  const bodies = bodiesOf(response, context.after);
  const isKnown = ([name, { schema }]) =>
    known.some(([type, error]) => type === name && isCompatible(error.schema, schema, context));
  return bodies.length > 0 && bodies.every(isKnown);
}

const bodiesOf = (response, document) => Object.entries(resolve(response, document).content ?? {});

const isCompatible = (before, after, context) =>
  !context.verdictsOf((probe) => compareSchemas(before, after, probe)).has(BREAKING);

const errorsOf = ({ paths = {} }) =>
  Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap((operation) => Object.entries(operation?.responses ?? {}))
    .filter(([status]) => isError(status))
    .map(([, response]) => response);

function compareHeaders(before, after, context) {
  compareEach(byName(before), byName(after), context, {
    added: (_, inner) => inner.additive('header added'),
    removed: (_, inner) => inner.breaking('header removed'),
    both: (was, is, inner) =>
      inner.enter(was, is, (left, right, at) => compareBy(FIELD, withStyle(left), withStyle(right), at)),
  });
}

function compareLinks(before, after, context) {
  compareEach(before, after, context.at('links'), {
    added: (_, inner) => inner.breaking('link added'),
    removed: (_, inner) => inner.breaking('link removed'),
    both: (was, is, inner) =>
      inner.enter(was, is, (left, right, at) => compareBy({ description: documentation }, left, right, at)),
  });
}

/** Names of headers ignore case. */
const byName = (headers = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, header]) => [name.toLowerCase(), header]));
