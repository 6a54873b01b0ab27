import { compareBy, compareEach, documentation, ignored } from '../context.mjs';
import { resolve, shown } from '../../contract/document.mjs';
import { normalise } from '../schemas/normalise.mjs';
import { compareCallbacks } from './callbacks.mjs';
import { compareContent, FIELD, required, withStyle } from './content.mjs';
import { compareResponses } from './responses.mjs';
import { compareSecurity } from './security.mjs';
import { compareOwnServers } from './servers.mjs';

/** The parameters of an operation are those of its path as well. */
export function compareOperations(before, after, paths, context) {
  compareBy(OPERATION, before, after, context);
  const [left, right] = [before, after].map((operation, side) => [
    ...(paths[side].item.parameters ?? []),
    ...(operation.parameters ?? []),
  ]);
  compareEach(
    byName(left, paths[0], paths[1], context.before),
    byName(right, paths[1], paths[1], context.after),
    context.as('request'),
    {
      added: ({ isRequired }, inner) => added('parameter', isRequired, inner),
      removed: (_, inner) => inner.breaking('parameter removed'),
      both: (was, is, inner) => inner.enter(was.parameter, is.parameter, compareParameters),
    },
  );
  compareOwnServers(before, after, paths, context);
  compareSecurity(before, after, context);
}

const OPERATION = {
  tags: documentation,
  summary: documentation,
  description: documentation,
  externalDocs: documentation,
  deprecated: documentation,
  'x-deprecated-at': documentation,
  'x-successor': documentation,
  'x-sunset': sunset,
  operationId,
  parameters: ignored,
  security: ignored,
  servers: ignored,
  requestBody,
  callbacks: compareCallbacks,
  responses: (before, after, context) => compareResponses(before, after, context.as('response')),
};

/** Generated clients name their methods after it. */
function operationId(before, after, context, name) {
  if (before === undefined) context.additive(`${name} ${after}`);
  else if (before !== after) context.breaking(`${name} ${before} → ${shown(after)}`);
}

/** Callers rely on the time that they were promised. */
function sunset(before, after, context, name) {
  if (before !== undefined && after < before) context.breaking(`${name} ${before} → ${after}`);
  else documentation(before, after, context, name);
}

function requestBody(before, after, context) {
  const inner = context.as('request').at('body');
  if (before === undefined) added('body', resolve(after, inner.after).required, inner);
  else if (after === undefined) inner.breaking('body removed');
  else inner.enter(before, after, (left, right, at) => compareBy(BODY, left, right, at));
}

const BODY = { description: documentation, required, content: compareContent };

function added(what, isRequired, context) {
  if (isRequired) context.breaking(`required ${what} added`);
  else context.additive(`optional ${what} added`);
}

/**
 * A parameter of the operation replaces one of the path. Names of headers ignore case; those of path parameters are
 * not sent, so a parameter has the name at its position in `canonical`.
 */
function byName(parameters, path, canonical, document) {
  const [names, others] = [path, canonical].map(({ name }) => name.match(/\{.+?\}/g) ?? []);
  const keyOf = {
    header: (name) => name.toLowerCase(),
    path: (name) => (others[names.indexOf(`{${name}}`)] ?? name).replace(/[{}]/g, ''),
  };
  return Object.fromEntries(
    parameters.map((parameter) => {
      const { in: location, name, required: isRequired } = resolve(parameter, document);
      return [`${location} ${keyOf[location]?.(name) ?? name}`, { parameter, isRequired }];
    }),
  );
}

function compareParameters(before, after, context) {
  const rules = isSingleValue(after, context.after) ? { ...PARAMETER, explode: ignored } : PARAMETER;
  const [left, right] = [before, after].map((one) => ({ allowReserved: false, ...withStyle(one) }));
  compareBy(rules, left, right, context);
}

/** Only lists and objects can be exploded. If the value was one before, its type narrows. */
const isSingleValue = ({ schema }, document) =>
  normalise(schema, document).type?.every((type) => type !== 'array' && type !== 'object') ?? false;

function allowEmptyValue(before = false, after = false, context) {
  if (!before && after) context.wider('may be empty');
  if (before && !after) context.narrower('may no longer be empty');
}

/** The service reads reserved characters whether they are encoded or not. */
const PARAMETER = { ...FIELD, name: ignored, in: ignored, allowEmptyValue, allowReserved: documentation };
