import { compareBy, compareEach, Context, documentation, ignored } from './context.mjs';
import { METHODS, namesOf, resolve } from '../contract/document.mjs';
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
  info: (before, after, context) => compareBy(infoRules(before, after), before, after, context.at('info')),
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

/** The service reads both, and their keywords are compared by what they mean. */
const DIALECTS = new Set(['3.0', '3.1']);

/** Tools that read one minor version may fail with the next one, but requests and responses stay as they are. */
function openapi(before, after, context, name) {
  const [left, right] = [before, after].map((version) => String(version).split('.', 2).join('.'));
  if (left === right) documentation(before, after, context, name);
  else if (DIALECTS.has(left) && DIALECTS.has(right)) context.additive(`${name} ${before} → ${after}`);
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

/** Extensions of it say something of the document, and nothing of requests and responses. */
const infoRules = (before, after) => ({
  ...INFO,
  ...Object.fromEntries(
    namesOf(before, after)
      .filter((name) => name.startsWith('x-'))
      .map((name) => [name, documentation]),
  ),
});

function comparePaths(before, after, context) {
  compareBy({}, extensionsOf(before), extensionsOf(after), context.at('paths'));
  const [left, right] = [byAddress(before, context.before), byAddress(after, context.after)];
  compareRouting(left, right, context.as('request'));
  for (const address of namesOf(left, right)) {
    const [was, is] = [left[address], right[address]];
    const { method, name } = is ?? was;
    const inner = context.at(`${method.toUpperCase()} ${name}`);
    if (was === undefined) inner.as('request').additive('operation added');
    else if (is === undefined) inner.as('request').breaking('operation removed');
    else {
      context.at(name).enter(was, is, comparePathItems, ({ item }) => item);
      if (was.name !== is.name) inner.documentation(`path parameters renamed, before: ${was.name}`);
      compareOperations(was.item[method], is.item[method], [was, is], inner);
    }
  }
}

const isAddress = (name) => name.startsWith('/');

const extensionsOf = (paths = {}) => Object.fromEntries(Object.entries(paths).filter(([name]) => !isAddress(name)));

/**
 * Each operation by its method and address. Names of path parameters are not part of an address: two paths may differ in
 * them only, if their methods differ.
 */
const byAddress = (paths = {}, document) =>
  Object.fromEntries(
    Object.entries(paths)
      .filter(([name]) => isAddress(name))
      .map(([name, value]) => ({ name, item: resolve(value, document) }))
      .flatMap(({ name, item }) =>
        METHODS.filter((method) => item[method] !== undefined).map((method) => [
          `${method} ${name.replace(/\{.+?\}/g, '{}')}`,
          { method, name, item },
        ]),
      ),
  );

const comparePathItems = (before, after, context) => compareBy(PATH_ITEM, before, after, context);

const PATH_ITEM = {
  summary: documentation,
  description: documentation,
  // They count in each operation.
  parameters: ignored,
  servers: ignored,
  ...Object.fromEntries(METHODS.map((method) => [method, ignored])),
};
