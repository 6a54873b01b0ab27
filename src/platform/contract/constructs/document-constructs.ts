import { checkEach } from '../source/check-each.js';
import {
  type Construct,
  documentation,
  isExtension,
  listOf,
  mapOf,
  object,
  refused,
  type Rule,
  since31,
  text,
} from './construct.js';
import { externalDocs } from './external-docs.js';
import { header, operation, parameter, requestBody, response, responses } from './operation-constructs.js';
import { checkPath } from './path-construct.js';
import { schema } from './schema-construct.js';
import { securityRequirements, securityScheme } from './security-constructs.js';

const contact: Construct = {
  name: 'a contact',
  members: { name: documentation, url: documentation, email: documentation },
};

const license: Construct = {
  name: 'a license',
  members: { name: documentation, url: documentation, identifier: since31(documentation) },
};

const info: Construct = {
  name: 'the info',
  members: {
    title: documentation,
    summary: since31(documentation),
    description: documentation,
    termsOfService: documentation,
    contact: object(() => contact),
    license: object(() => license),
    version: text,
  },
};

const serverVariable: Construct = {
  name: 'a server variable',
  members: { default: text, description: documentation, enum: documentation },
  whole: (node) => {
    const values = node.get('enum')?.children() ?? [];
    const fallback = node.get('default');
    if (fallback && values.length > 0 && values.every(({ value }) => value !== fallback.value)) {
      fallback.fail(`the default must be one of ${values.map((value) => value.text()).join(', ')}`);
    }
  },
};

const server: Construct = {
  name: 'a server',
  members: { url: text, description: documentation, variables: mapOf(object(() => serverVariable)) },
};

const tag: Construct = {
  name: 'a tag',
  members: { name: text, description: documentation, externalDocs: object(() => externalDocs) },
};

/** The service derives its responses to these methods from the other operations. */
const derived: Rule = (node) => node.failAtName(`an operation cannot be declared for ${node.key.toUpperCase()}`);

const pathItem: Construct = {
  name: 'a path',
  members: {
    summary: documentation,
    description: documentation,
    get: object(() => operation),
    put: object(() => operation),
    post: object(() => operation),
    delete: object(() => operation),
    patch: object(() => operation),
    head: derived,
    options: derived,
    trace: derived,
    servers: refused('declare the servers of the whole document'),
    parameters: listOf(object(() => parameter)),
  },
};

const paths: Rule = (node, walk) => {
  const names = new Set<string>();
  checkEach(node.written(), (path) => {
    if (isExtension(path, 'the paths')) return;
    checkPath(path, names);
    object(() => pathItem)(path, walk);
  });
};

const example: Construct = {
  name: 'an example',
  members: { summary: documentation, description: documentation, value: documentation, externalValue: documentation },
};

const components: Construct = {
  name: 'the components',
  members: {
    schemas: mapOf(schema),
    responses: mapOf(object(() => response)),
    parameters: mapOf(object(() => parameter)),
    examples: mapOf(object(() => example)),
    requestBodies: mapOf(object(() => requestBody)),
    headers: mapOf(object(() => header)),
    securitySchemes: mapOf(object(() => securityScheme)),
    links: refused('remove them'),
    callbacks: refused('the service sends no requests; remove them'),
    pathItems: since31(refused('declare the paths in "paths"')),
  },
};

/** The responses that the service sends before a request has an operation. */
const protocolResponses: Rule = (node, walk) => {
  const member = node.get('x-protocol-responses');
  if (member) responses(member, walk);
};

export const document: Construct = {
  name: 'the document',
  whole: protocolResponses,
  members: {
    openapi: text,
    info: object(() => info),
    jsonSchemaDialect: since31(refused("OpenAPI's own dialect is used; remove it")),
    servers: listOf(object(() => server)),
    paths: paths,
    webhooks: since31(refused('the service sends no requests; remove them')),
    components: object(() => components),
    security: securityRequirements,
    tags: listOf(object(() => tag)),
    externalDocs: object(() => externalDocs),
  },
};
