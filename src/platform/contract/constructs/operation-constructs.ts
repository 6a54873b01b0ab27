import { checkDeprecation } from './own-extensions.js';
import {
  type Construct,
  documentation,
  flag,
  isExtension,
  listOf,
  mapOf,
  object,
  refused,
  type Rule,
  text,
} from './construct.js';
import { externalDocs } from './external-docs.js';
import { schema } from './schema-construct.js';
import { checkWhole } from './schema-types.js';
import { securityRequirements } from './security-constructs.js';

/** The schema of what a request sends. */
const received: Rule = (node, walk) => {
  schema(node, walk);
  checkWhole(node, true);
};

/** The schema of what a response sends. */
const sent: Rule = (node, walk) => {
  schema(node, walk);
  checkWhole(node, false);
};

const CONTENT = 'describe the value with "schema"';

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** The name of a header or a cookie must be a token, and no name may be empty. */
const named: Rule = (node) => {
  const name = node.need('name');
  const inQuery = node.get('in')?.value === 'query';
  if (name.text() === '') name.fail('the name of a parameter cannot be empty');
  if (!inQuery && !TOKEN.test(name.text()))
    name.fail(`"${name.text()}" cannot be the name of a header or cookie; use letters, digits, "-" and "_"`);
};

export const parameter: Construct = {
  name: 'a parameter',
  whole: named,
  members: {
    name: text,
    in: text,
    description: documentation,
    required: flag,
    deprecated: flag,
    allowEmptyValue: (node, walk) => {
      flag(node, walk);
      if (node.value === true) node.failAtName('"allowEmptyValue" is not supported; allow the empty text in "schema"');
    },
    // Which styles a place may have is checked with the parameter.
    style: text,
    explode: flag,
    // A query is read the same way in both cases.
    allowReserved: flag,
    schema: received,
    example: documentation,
    examples: documentation,
    content: refused(CONTENT),
  },
};

export const header: Construct = {
  name: 'a header',
  members: {
    description: documentation,
    required: flag,
    deprecated: flag,
    style: (node) => {
      if (node.text() !== 'simple') node.fail('"style" of a header must be simple');
    },
    explode: (node) => {
      if (node.value !== false) node.fail('"explode" of a header is not supported; remove it');
    },
    schema: sent,
    example: documentation,
    examples: documentation,
    content: refused(CONTENT),
  },
};

const mediaType = (rule: Rule): Rule =>
  object(() => ({
    name: 'a media type',
    members: {
      schema: rule,
      example: documentation,
      examples: documentation,
      encoding: refused('it belongs to forms; remove it'),
    },
  }));

const JSON_TYPE = 'application/json';

const requestContent: Rule = (node, walk) => {
  for (const one of node.written()) {
    if (one.key !== JSON_TYPE) one.failAtName('only application/json is supported');
  }
  mapOf(mediaType(received))(node, walk);
};

export const requestBody: Construct = {
  name: 'a request body',
  members: { description: documentation, content: requestContent, required: flag },
};

const responseContent: Rule = (node, walk) => {
  const types = node.written();
  for (const type of types)
    if (!/^[\w.+-]+\/[\w.+-]+$/.test(type.key)) {
      type.failAtName(`"${type.key}" is not a media type without parameters; write one such as ${JSON_TYPE}`);
    } else if (type.key !== type.key.toLowerCase()) {
      type.failAtName(`"${type.key}" must be in lower case; write ${type.key.toLowerCase()}`);
    }
  mapOf(mediaType(sent))(node, walk);
};

/** Node adds them after the check of the headers. */
const OF_CONNECTION = /^(?:connection|content-length|date|keep-alive|transfer-encoding)$/i;

const responseHeaders: Rule = (node, walk) => {
  const names = new Set<string>();
  for (const one of node.written()) {
    if (!TOKEN.test(one.key))
      one.failAtName(`"${one.key}" cannot be the name of a header; use letters, digits, "-" and "_"`);
    if (names.has(one.key.toLowerCase()))
      one.failAtName(`the header "${one.key}" is declared twice; remove one of them`);
    names.add(one.key.toLowerCase());
    if (/^content-type$/i.test(one.key)) one.failAtName('the media type determines Content-Type; remove the header');
    if (/^trailer$/i.test(one.key)) one.failAtName('trailers are not supported; remove the header');
    if (OF_CONNECTION.test(one.key)) one.failAtName(`the server itself sets ${one.key}; remove the header`);
  }
  mapOf(object(() => header))(node, walk);
};

/** RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
const BODILESS = /^(?:204|205|304)$/;

export const response: Construct = {
  name: 'a response',
  members: {
    description: documentation,
    headers: responseHeaders,
    content: responseContent,
    links: refused('remove them'),
  },
};

/** Responses by status. */
export const responses: Rule = (node, walk) => {
  for (const one of node.written()) {
    if (!/^[1-5]\d\d$/.test(one.key) && !isExtension(one, 'the responses')) {
      one.failAtName(`"${one.key}" is not a status; ranges and "default" are not supported`);
    }
    // Node would send it and wait for the response: RFC 9110, section 15.2.
    if (/^1\d\d$/.test(one.key))
      one.failAtName(`the status ${one.key} is informational, so no response would follow; declare a final status`);
  }
  for (const one of node.written()) if (!one.key.startsWith('x-')) object(() => response)(one, walk);
  for (const one of node.children())
    if (BODILESS.test(one.key))
      one.get('content')?.failAtName(`a response with the status ${one.key} has no body; remove "content"`);
};

export const operation: Construct = {
  name: 'an operation',
  members: {
    tags: documentation,
    summary: documentation,
    description: documentation,
    externalDocs: object(() => externalDocs),
    operationId: text,
    parameters: listOf(object(() => parameter)),
    requestBody: object(() => requestBody),
    responses,
    callbacks: refused('the service sends no requests; remove them'),
    deprecated: flag,
    security: securityRequirements,
    servers: refused('declare the servers of the whole document'),
  },
  whole: (node) => {
    if (node.key === 'get') node.get('requestBody')?.failAtName('a GET has no request body; use another method');
    checkDeprecation(node);
  },
};
