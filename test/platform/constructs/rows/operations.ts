import { getOf, json, type Part, postOf } from '../base-contract.js';
import { documentation, honoured, refused, type Row } from '../row.js';

const CALLS = 'the service sends no requests; remove them';
const RELEASES = '"openapi" must be a release of 3.0 or 3.1, such as 3.1.1';
const SERVERS = 'declare the servers of the whole document';

/** The document, its paths, operations, request bodies and security. */
export const OPERATIONS: readonly Row[] = [
  documentation('Document: info', (contract) =>
    Object.assign(contract.info, {
      description: 'A.',
      termsOfService: '/',
      contact: { name: 'A' },
      license: { name: 'MIT' },
    }),
  ),
  documentation('Document: tags, externalDocs', (contract) =>
    Object.assign(contract, { tags: [{ name: 'a' }], externalDocs: { url: '/docs' } }),
  ),
  documentation('Document: x- extension', (contract) => (contract['x-note'] = 1)),
  refused(
    'Document: x-sunset',
    (contract) => (contract['x-sunset'] = '2030-12-05'),
    '"x-sunset" has an effect only in an operation; move it there, or remove it',
  ),
  refused(
    'Document: x-protocol-response',
    (contract) => (contract['x-protocol-response'] = {}),
    '"x-protocol-response" has no effect; write "x-protocol-responses", or another name',
  ),
  refused(
    'Document: x-protocol-responses with a code that the service does not send',
    (contract) => {
      const code = { type: 'string', enum: ['MISSING'] };
      const schema = { ...contract.components.schemas.Error };
      schema.properties = { ...schema.properties, code };
      contract['x-protocol-responses'][404] = { description: 'A.', content: json(schema) };
    },
    'the service sends 404 with the code "NOT_FOUND", which the schema must accept',
  ),
  refused(
    'Document: unknown member',
    (contract) => (contract.path = {}),
    '"path" is not a member of the document; remove it, or let its name begin with "x-"',
  ),
  refused('Document: OpenAPI 2.0', (contract) => (contract.openapi = '2.0'), RELEASES),
  refused('Document: OpenAPI 3.2', (contract) => (contract.openapi = '3.2.0'), RELEASES),
  refused('Document: OpenAPI 3.1 without the release', (contract) => (contract.openapi = 3.1), RELEASES),
  refused(
    'Document: webhooks',
    (contract) => (contract.webhooks = {}),
    `"webhooks" is not supported; ${CALLS}`,
    '3.1.0',
  ),
  refused(
    'Document: jsonSchemaDialect',
    (contract) => (contract.jsonSchemaDialect = 'a'),
    `"jsonSchemaDialect" is not supported; OpenAPI's own dialect is used; remove it`,
    '3.1.0',
  ),
  documentation('Info: summary', (contract) => (contract.info.summary = 'A.'), '3.1.0'),
  refused(
    'Info: summary',
    (contract) => (contract.info.summary = 'A.'),
    '"summary" is not part of OpenAPI 3.0; remove it',
  ),
  honoured(
    'Server: url and variables',
    (contract) =>
      (contract.servers = [
        { url: '{base-path}', variables: { 'base-path': { default: '/v1', enum: ['/v1', '/v2'] } } },
      ]),
    'the first server determines the base path',
    [{ status: 201 }],
  ),
  documentation('Server: others than the first', (contract) =>
    contract.servers.push({ url: 'https://staging.test/v1' }),
  ),
  refused(
    'Server: a query behind its path',
    (contract) => (contract.servers = [{ url: '/v1?version=2' }]),
    'the URL of a server has no query and no fragment; remove what follows its path',
  ),
  refused(
    'Server: default that its enum lacks',
    (contract) => (contract.servers = [{ url: '{base}', variables: { base: { default: '/v1', enum: ['/v2'] } } }]),
    'the default must be one of /v2',
  ),
  refused(
    'Server: a brace without a name',
    (contract) => (contract.servers[0].url = '/v{1'),
    'the URL of a server has a brace without a name',
  ),
  refused(
    'Server: a pattern of Nest',
    (contract) => (contract.servers[0].url = '/v1(x)'),
    `a path cannot have "("; use letters, digits, any of - . _ ~ $ & ' , ; = @, and ":" before a letter`,
  ),
  refused(
    'Server: a needless escape',
    (contract) => (contract.servers[0].url = '/v%31'),
    'write the character itself instead of "%31"',
  ),
  refused('Server: //', (contract) => (contract.servers[0].url = '/a//b'), 'a path cannot have "//"; remove one "/"'),
  refused(
    'Server: unknown member',
    (contract) => (contract.servers[0].path = '/'),
    '"path" is not a member of a server; remove it, or let its name begin with "x-"',
  ),
  refused(
    'Paths: x-sunset',
    (contract) => (contract.paths['x-sunset'] = '2030-12-05'),
    '"x-sunset" has an effect only in an operation; move it there, or remove it',
  ),
  documentation('Paths: x- extension', (contract) => (contract.paths['x-note'] = 1)),
  refused(
    'Path: servers',
    (contract) => (contract.paths['/things'].servers = []),
    `"servers" is not supported; ${SERVERS}`,
  ),
  documentation('Path: summary, description', (contract) =>
    Object.assign(contract.paths['/things'], { summary: 'A.', description: 'A.' }),
  ),
  refused('Path: without a slash', (contract) => (contract.paths.things = {}), 'the path "things" must begin with "/"'),
  refused(
    'Path: a parameter that Nest cannot name',
    (contract) => (contract.paths['/things/{thing-id}'] = {}),
    'a path parameter must have a name of letters, digits and "_" in braces, and must not begin with a digit',
  ),
  refused(
    'Path: a parameter that begins with a digit',
    (contract) => (contract.paths['/things/{2fa}'] = {}),
    'a path parameter must have a name of letters, digits and "_" in braces, and must not begin with a digit',
  ),
  ...[
    ['é', 'é'],
    ['a space', ' '],
    ['an encoded character', '%'],
    ['a query', '?'],
    ['a fragment', '#'],
    ['a pattern of Nest', '*'],
    ['a colon without a name', ':'],
  ].map(([name, character = '']) =>
    refused(
      `Path: ${name}`,
      (contract: Part) => (contract.paths[`/things/a${character}`] = {}),
      `a path cannot have "${character}"; use letters, digits, any of - . _ ~ $ & ' , ; = @, and ":" before a letter`,
    ),
  ),
  refused(
    'Path: ..',
    (contract) => (contract.paths['/things/../a'] = {}),
    'clients resolve "." and ".." in a path; write where they lead',
  ),
  refused('Path: //', (contract) => (contract.paths['/things//a'] = {}), 'a path cannot have "//"; remove one "/"'),
  ...['/', '/things/'].map((path) =>
    refused(
      `Path: ${path}`,
      (contract: Part) => (contract.paths[path] = {}),
      'Nest removes the "/" at the end of a path; remove it here, or add a name',
    ),
  ),
  ...['/things/{a}{b}', '/things/{a}b'].map((path) =>
    refused(
      `Path: ${path}`,
      (contract: Part) => (contract.paths[path] = {}),
      'no letter, digit, "_" or "{" may follow a path parameter; write another character between them',
    ),
  ),
  refused(
    'Path: two parameters of one name',
    (contract) => (contract.paths['/things/{a}/{a}'] = {}),
    'the path has two parameters "a"; rename one of them',
  ),
  refused(
    'Path: two that Nest does not tell apart',
    (contract) => Object.assign(contract.paths, { '/things:a': {}, '/things{a}': {} }),
    'another path is /things:a in Nest, too; rename one of them',
  ),
  refused(
    'Path: HEAD, OPTIONS or TRACE',
    (contract) => (contract.paths['/things'].head = {}),
    'an operation cannot be declared for HEAD',
  ),
  refused(
    'Path: two that match the same requests',
    (contract) => {
      const other = structuredClone(contract.paths['/things/{thingId}']);
      other.get.operationId = 'getOther';
      other.get.parameters[0].name = 'otherId';
      contract.paths['/things/{otherId}'] = other;
    },
    'another path matches the same requests; remove one of them',
  ),
  refused(
    'Operation: servers',
    (contract) => (postOf(contract).servers = []),
    `"servers" is not supported; ${SERVERS}`,
  ),
  refused(
    'Operation: callbacks',
    (contract) => (postOf(contract).callbacks = {}),
    `"callbacks" is not supported; ${CALLS}`,
  ),
  documentation('Operation: tags, summary, description, externalDocs', (contract) =>
    Object.assign(postOf(contract), { tags: ['a'], summary: 'A.', description: 'A.' }),
  ),
  refused(
    'Operation: externalDocs with a url that no header can have',
    (contract) => (postOf(contract).externalDocs = { url: 'https://docs.test/日本' }),
    '"url" must be a URI reference; encode other characters',
  ),
  ...['x-deprecated-at', 'x-sunset', 'x-successor'].map((name) =>
    refused(
      `Operation: ${name} without deprecated`,
      (contract) => (postOf(contract)[name] = '2026-11-20'),
      `"${name}" has an effect only on a deprecated operation; add "deprecated: true", or remove it`,
    ),
  ),
  honoured(
    'Operation: deprecated, with the same x-deprecated-at and x-sunset',
    (contract) =>
      Object.assign(postOf(contract), {
        deprecated: true,
        'x-deprecated-at': '2026-11-20',
        'x-sunset': '2026-11-20',
        'x-successor': 'addThing',
      }),
    'sends its headers',
    [
      {
        status: 201,
        body: {},
        answer: {},
        responseHeaders: {
          deprecation: '@1795132800',
          sunset: 'Fri, 20 Nov 2026 00:00:00 GMT',
          link: '</v1/things>; rel="successor-version"',
        },
      },
    ],
  ),
  refused(
    'Operation: x-successor with a parameter in its path',
    (contract) =>
      Object.assign(postOf(contract), {
        deprecated: true,
        'x-deprecated-at': '2026-11-20',
        'x-sunset': '2026-11-20',
        'x-successor': 'getThing',
      }),
    '"x-successor" becomes a Link, which needs a URL; name an operation without parameters in its path',
  ),
  refused(
    'Operation: x-sunset before x-deprecated-at',
    (contract) =>
      Object.assign(postOf(contract), { deprecated: true, 'x-deprecated-at': '2026-11-20', 'x-sunset': '2026-11-19' }),
    '"x-sunset" must not be before "x-deprecated-at"',
  ),
  refused(
    'Operation: x-succesor',
    (contract) => (postOf(contract)['x-succesor'] = 'getThing'),
    '"x-succesor" has no effect; write "x-successor", or another name',
  ),
  documentation('Operation: x- extensions of other tools', (contract) =>
    Object.assign(postOf(contract), { 'x-codeSamples': [], 'x-demo': true, 'x-deprecated': true, 'x-internal': false }),
  ),
  refused(
    'Operation: deprecated without dates',
    (contract) => (postOf(contract).deprecated = true),
    'paths./things.post lacks "x-deprecated-at"',
  ),
  refused(
    'Operation: unknown member',
    (contract) => (postOf(contract).parameter = []),
    '"parameter" is not a member of an operation; remove it, or let its name begin with "x-"',
  ),
  refused(
    'Operation: a body that can be invalid, without 400',
    (contract) => delete postOf(contract).responses[400],
    'the operation must declare 400: its parameters and its body can be invalid',
  ),
  refused(
    'Operation: a body without 413',
    (contract) => delete postOf(contract).responses[413],
    'the operation must declare 413: its body can be too large',
  ),
  refused(
    'Operation: a body without 415',
    (contract) => delete postOf(contract).responses[415],
    'the operation must declare 415: its body can have another media type',
  ),
  refused(
    'Operation: a key without 401',
    (contract) => delete getOf(contract).responses[401],
    'the operation must declare 401: it requires a key',
  ),
  refused(
    'Operation: a key without 403, for another method than GET',
    (contract) => delete postOf(contract).responses[403],
    'the operation must declare 403: its key may be for reading only',
  ),
  refused(
    'Operation: a path that can be invalid, without 404',
    (contract) => {
      getOf(contract).parameters[0].schema = { type: 'integer' };
      delete getOf(contract).responses[404];
    },
    'the operation must declare 404: its path can be invalid',
  ),
  refused(
    'Operation: several errors of the service are missing',
    (contract) => {
      const post = postOf(contract);
      for (const status of [400, 401, 413, 500, 503]) delete post.responses[status];
    },
    'the operation must declare 400, 401, 413, 500 and 503: its parameters and its body can be invalid, it requires a key, its body can be too large, it may fail, and the service may be stopping',
  ),
  refused(
    'Operation: a body and a path that can be invalid, without 400 and 404',
    (contract) => {
      getOf(contract).parameters[0].schema = { type: 'integer' };
      getOf(contract).parameters.push({ name: 'limit', in: 'query', schema: { type: 'integer' } });
      delete getOf(contract).responses[404];
    },
    'the operation must declare 400: its parameters and its body can be invalid',
  ),
  honoured('Request body: required', (contract) => (postOf(contract).requestBody.required = true), 'checked', [
    { status: 400, message: 'The request must have a JSON body.' },
    { status: 201, body: {} },
  ]),
  honoured('Request body: optional', () => {}, 'may be absent', [{ status: 201 }]),
  honoured(
    'Request body: default',
    (contract) =>
      (postOf(contract).requestBody.content = json({
        type: 'object',
        properties: { a: { type: 'integer' } },
        default: { a: 1 },
      })),
    'given to the handler when no body is sent',
    [
      { status: 201, seen: { body: { a: 1 } } },
      { status: 201, body: { a: 2 }, seen: { body: { a: 2 } } },
      { status: 400, body: 'null', message: 'The body must be a JSON object.' },
    ],
  ),
  refused(
    'Request body: default of a required one',
    (contract) => (postOf(contract).requestBody = { required: true, content: json({ type: 'object', default: {} }) }),
    '"default" of a required body has no effect; remove it',
  ),
  refused(
    'Request body: default that breaks the schema',
    (contract) => (postOf(contract).requestBody.content = json({ type: 'object', default: [] })),
    'the default must be an object',
  ),
  honoured('Request body: application/json', () => {}, 'read strictly, with exact integers', [
    { status: 400, body: [], message: 'The body must be a JSON object.' },
    { status: 415, headers: { 'content-type': 'text/plain' }, body: 'a' },
  ]),
  honoured(
    'Request body: an array',
    (contract) => (postOf(contract).requestBody.content = json({ type: 'array', items: { type: 'integer' } })),
    'checked',
    [
      { status: 400, body: {}, message: 'The body must be an array' },
      { status: 400, body: ['a'], message: '0 must be an integer' },
    ],
  ),
  ...[
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    'application/xml',
    '*/*',
    'application/merge-patch+json',
  ].map((type) =>
    refused(
      `Request body: ${type}`,
      (contract: Part) => (postOf(contract).requestBody.content = { [type]: { schema: { type: 'object' } } }),
      'only application/json is supported',
    ),
  ),
  refused(
    'Request body: of a GET',
    (contract) => (getOf(contract).requestBody = { content: json({ type: 'object' }) }),
    'a GET has no request body; use another method',
  ),
  refused(
    'Media type: encoding',
    (contract) => (postOf(contract).requestBody.content['application/json'].encoding = {}),
    '"encoding" is not supported; it belongs to forms; remove it',
  ),
  documentation(
    'Media type: example, examples',
    (contract) => (postOf(contract).requestBody.content['application/json'].example = {}),
  ),
  honoured('Security: HTTP bearer', () => {}, 'enforced by the guard of that name', [
    { status: 401, headers: { authorization: 'Bearer no' } },
  ]),
  honoured('Security: none', (contract) => (postOf(contract).security = []), 'the operation is public', [
    { status: 201, headers: { authorization: '' } },
  ]),
  documentation('Security: bearerFormat, description', (contract) =>
    Object.assign(contract.components.securitySchemes.apiKey, { bearerFormat: 'JWT', description: 'A.' }),
  ),
  refused(
    'Security: HTTP basic',
    (contract) => (contract.components.securitySchemes.apiKey.scheme = 'basic'),
    'only HTTP bearer authentication is supported',
  ),
  ...['apiKey', 'oauth2', 'openIdConnect', 'mutualTLS'].map((type) =>
    refused(
      `Security: ${type}`,
      (contract: Part) => (contract.components.securitySchemes.apiKey = { type }),
      'only HTTP bearer authentication is supported',
    ),
  ),
  refused(
    'Security: scopes',
    (contract) => (postOf(contract).security = [{ apiKey: ['admin'] }]),
    'scopes are not supported; leave the list empty',
  ),
  refused(
    'Security: optional',
    (contract) => (postOf(contract).security = [{ apiKey: [] }, {}]),
    'optional security is not supported; name a scheme, or set "security: []"',
  ),
  refused(
    'Security: one of several schemes',
    (contract) => (postOf(contract).security = [{ apiKey: [] }, { apiKey: [] }]),
    'alternative security schemes are not supported; name one scheme',
  ),
  refused(
    'Security: several schemes together',
    (contract) => (postOf(contract).security = [{ apiKey: [], other: [] }]),
    'a combination of security schemes is not supported; name one scheme',
  ),
  refused(
    'Security: unknown scheme',
    (contract) => (postOf(contract).security = [{ other: [] }]),
    'components.securitySchemes lacks "other"',
  ),
];
