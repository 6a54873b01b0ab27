import { compareBy, compareEach, Context, documentation, ignored } from './context.mjs';
import { METHODS, resolve } from './document.mjs';
import { compareOperations } from './operations/operations.mjs';
import { compareResponses } from './operations/responses.mjs';
import { compareRouting } from './operations/routing.mjs';
import { compareServers } from './operations/servers.mjs';

/**
 * Every change between two parsed documents. A change that no rule covers is breaking. Components count where they
 * are used.
 *
 * @returns {import('./context.mjs').Change[]}
 */
export function compareDocuments(before, after) {
  const context = new Context(before, after);
  compareBy(DOCUMENT, before, after, context);
  if (context.changes.length === 0 && !context.isSame(before, after)) {
    context.documentation('written differently, with the same meaning');
  }
  return context.changes;
}

const DOCUMENT = {
  openapi,
  info: (before, after, context) => compareBy(INFO, before, after, context.at('info')),
  tags: documentation,
  externalDocs: documentation,
  servers: compareServers,
  paths: comparePaths,
  security: ignored,
  components: (before, after, context) =>
    compareEach(before?.securitySchemes, after?.securitySchemes, context.at('securitySchemes'), {
      added: ignored,
      removed: ignored,
      both: (left, right, inner) => documentation(left.description, right.description, inner, 'description'),
    }),
  /** The responses that the service sends before it knows the operation. */
  'x-protocol-responses': (before, after, context) =>
    compareResponses(before, after, context.as('response').at('x-protocol-responses')),
};

/** Tools that read one minor version may fail with the next one. */
function openapi(before, after, context, name) {
  const [left, right] = [before, after].map((version) => String(version).split('.', 2).join('.'));
  if (left === right) documentation(before, after, context, name);
  else context.unjudged(`${name} ${before} → ${after}`);
}

const INFO = {
  title: documentation,
  summary: documentation,
  description: documentation,
  termsOfService: documentation,
  contact: documentation,
  license: documentation,
  version: documentation,
};

function comparePaths(before, after, context) {
  compareBy({}, extensionsOf(before), extensionsOf(after), context.at('paths'));
  const [left, right] = [byAddress(before, context.before), byAddress(after, context.after)];
  compareRouting(left, right, context.as('request'));
  compareEach(left, right, context.as('request'), {
    added: (_, inner) => inner.additive('path added'),
    removed: (_, inner) => inner.breaking('path removed'),
    both: (was, is) => comparePathItems(was, is, context),
  });
}

const isAddress = (name) => name.startsWith('/');

const extensionsOf = (paths = {}) => Object.fromEntries(Object.entries(paths).filter(([name]) => !isAddress(name)));

/** Names of path parameters are not part of an address. */
const byAddress = (paths = {}, document) =>
  Object.fromEntries(
    Object.entries(paths)
      .filter(([name]) => isAddress(name))
      .map(([name, item]) => [name.replace(/\{.+?\}/g, '{}'), { name, item: resolve(item, document) }]),
  );

function comparePathItems(was, is, context) {
  if (was.name !== is.name) context.at(is.name).documentation(`path parameters renamed, before: ${was.name}`);
  const operation = (before, after, inner, method) => {
    const at = inner.at(`${method.toUpperCase()} ${is.name}`);
    if (before === undefined) at.as('request').additive('operation added');
    else if (after === undefined) at.as('request').breaking('operation removed');
    else compareOperations(before, after, [was, is], at);
  };
  const rules = {
    summary: documentation,
    description: documentation,
    parameters: ignored,
    servers: compareServers,
    ...Object.fromEntries(METHODS.map((method) => [method, operation])),
  };
  compareBy(rules, was.item, is.item, context);
}
