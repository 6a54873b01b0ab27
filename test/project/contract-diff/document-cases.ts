import type { Verdict } from './schema-cases.js';

/** What changes, the operation or document before and after, and the verdict for each direction that changes. */
export type DocumentCase = readonly [title: string, before: string, after: string, verdicts: Verdicts];

type Verdicts = Partial<Record<'request' | 'response' | 'document', Verdict>>;

const query = (rest: string): string => `{parameters: [{in: query, name: limit, ${rest}}]}`;
const header = (rest: string): string => `{responses: {200: {headers: {X-Total: {${rest}}}}}}`;
const links = (list: string): string => `{responses: {200: {links: {${list}}}}}`;
const callback = (operation: string): string => `{callbacks: {done: {"{$request.body#/url}": {post: ${operation}}}}}`;
const json = (schema: string): string => `content: {application/json: {schema: ${schema}}}`;
const error = (status: string, schema: string): string => `${status}: {${json(schema)}}`;
const ERROR = '{$ref: "#/components/schemas/Error"}';

export const PARAMETER_CASES: readonly DocumentCase[] = [
  ['an optional parameter is added', '{}', query('schema: {type: integer}'), { request: 'additive' }],
  ['a required parameter is added', '{}', query('required: true, schema: {}'), { request: 'breaking' }],
  ['a parameter is removed', query('schema: {}'), '{}', { request: 'breaking' }],
  ['a parameter becomes required', query('schema: {}'), query('schema: {}, required: true'), { request: 'breaking' }],
  ['a parameter becomes optional', query('schema: {}, required: true'), query('schema: {}'), { request: 'additive' }],
  [
    'a parameter moves to a header',
    query('schema: {}'),
    '{parameters: [{in: header, name: limit, schema: {}}]}',
    { request: 'breaking' },
  ],
  [
    'a cookie is required',
    '{}',
    '{parameters: [{in: cookie, name: id, required: true, schema: {}}]}',
    { request: 'breaking' },
  ],
  [
    'the name of a header parameter changes its case',
    '{parameters: [{in: header, name: X-Trace, schema: {}}]}',
    '{parameters: [{in: header, name: x-trace, schema: {}}]}',
    { document: 'documentation' },
  ],
  [
    'a maximum of a parameter falls',
    query('schema: {maximum: 100}'),
    query('schema: {maximum: 50}'),
    { request: 'breaking' },
  ],
  [
    'a maximum of a parameter rises',
    query('schema: {maximum: 100}'),
    query('schema: {maximum: 200}'),
    { request: 'additive' },
  ],
  [
    'the default of a parameter changes',
    query('schema: {default: 20}'),
    query('schema: {default: 50}'),
    { request: 'breaking' },
  ],
  ['a list is no longer exploded', query('schema: {}'), query('schema: {}, explode: false'), { request: 'breaking' }],
  [
    'the style is written down',
    query('schema: {}'),
    query('schema: {}, style: form, explode: true'),
    { document: 'documentation' },
  ],
  [
    'reserved characters need not be encoded, which changes nothing',
    query('schema: {}'),
    query('schema: {}, allowReserved: true'),
    { request: 'documentation' },
  ],
  [
    'it is written down that reserved characters are encoded',
    query('schema: {}'),
    query('schema: {}, allowReserved: false'),
    { document: 'documentation' },
  ],
  ...['{type: string}', '{allOf: [{type: integer}, {minimum: 1}]}'].map((schema): DocumentCase => [
    `${schema} is exploded or not, which changes nothing`,
    query(`schema: ${schema}`),
    query(`schema: ${schema}, explode: false`),
    { document: 'documentation' },
  ]),
  [
    'an object is no longer exploded',
    query('schema: {type: object}'),
    query('schema: {type: object}, explode: false'),
    { request: 'breaking' },
  ],
  [
    'a list that may be a text is no longer exploded',
    query('schema: {anyOf: [{type: string}, {type: array}]}'),
    query('schema: {anyOf: [{type: string}, {type: array}]}, explode: false'),
    { request: 'breaking' },
  ],
  [
    'a text becomes a list that is not exploded',
    query('schema: {type: string}'),
    query('schema: {type: [array, string]}, explode: false'),
    { request: 'breaking' },
  ],
  [
    'a parameter may be empty',
    query('schema: {type: string}'),
    query('schema: {type: string}, allowEmptyValue: true'),
    { request: 'additive' },
  ],
  [
    'a parameter may no longer be empty',
    query('schema: {type: string}, allowEmptyValue: true'),
    query('schema: {type: string}, allowEmptyValue: false'),
    { request: 'breaking' },
  ],
  [
    'it is written down that a parameter may not be empty',
    query('schema: {type: string}'),
    query('schema: {type: string}, allowEmptyValue: false'),
    { document: 'documentation' },
  ],
  ['the style changes', query('schema: {}'), query('schema: {}, style: spaceDelimited'), { request: 'breaking' }],
  [
    'the media type of a parameter widens',
    '{parameters: [{in: query, name: filter, content: {application/json: {schema: {maxLength: 5}}}}]}',
    '{parameters: [{in: query, name: filter, content: {application/json: {schema: {maxLength: 9}}}}]}',
    { request: 'additive' },
  ],
  // `name="a"` is another request than `name=a`.
  [
    'a parameter moves from a schema to a media type',
    query('schema: {type: string}'),
    query(json('{type: string}')),
    { request: 'breaking' },
  ],
  [
    'a parameter moves from a media type to a schema',
    query(json('{type: string, maxLength: 5}')),
    query('schema: {type: string}'),
    { request: 'breaking' },
  ],
  [
    'a parameter becomes deprecated',
    query('schema: {}'),
    query('schema: {}, deprecated: true, description: Use size.'),
    { request: 'documentation' },
  ],
];

export const BODY_CASES: readonly DocumentCase[] = [
  ['an optional body is added', '{}', `{requestBody: {${json('{}')}}}`, { request: 'additive' }],
  ['a required body is added', '{}', `{requestBody: {required: true, ${json('{}')}}}`, { request: 'breaking' }],
  ['a body is removed', `{requestBody: {${json('{}')}}}`, '{}', { request: 'breaking' }],
  [
    'a body becomes required',
    `{requestBody: {${json('{}')}}}`,
    `{requestBody: {required: true, ${json('{}')}}}`,
    { request: 'breaking' },
  ],
  [
    'a body becomes optional',
    `{requestBody: {required: true, ${json('{}')}}}`,
    `{requestBody: {${json('{}')}}}`,
    { request: 'additive' },
  ],
  [
    'another media type is accepted',
    '{requestBody: {content: {application/json: {}}}}',
    '{requestBody: {content: {application/json: {}, application/xml: {}}}}',
    { request: 'additive' },
  ],
  [
    'a media type is no longer accepted',
    '{requestBody: {content: {application/json: {}, application/xml: {}}}}',
    '{requestBody: {content: {application/json: {}}}}',
    { request: 'breaking' },
  ],
  [
    'the encoding of a form changes',
    '{requestBody: {content: {multipart/form-data: {encoding: {a: {contentType: text/plain}}}}}}',
    '{requestBody: {content: {multipart/form-data: {encoding: {a: {contentType: text/html}}}}}}',
    { request: 'breaking' },
  ],
];

const SUCCESS = `200: {${json('{type: object}')}}`;
const BAD_REQUEST = error('400', ERROR);

export const RESPONSE_CASES: readonly DocumentCase[] = [
  [
    'a success status is added',
    `{responses: {${SUCCESS}}}`,
    `{responses: {${SUCCESS}, 202: {}}}`,
    { response: 'breaking' },
  ],
  [
    'a success status is removed',
    `{responses: {${SUCCESS}, 304: {}}}`,
    `{responses: {${SUCCESS}}}`,
    { response: 'breaking' },
  ],
  [
    'a success status changes',
    `{responses: {200: {${json('{}')}}}}`,
    `{responses: {201: {${json('{}')}}}}`,
    { response: 'breaking' },
  ],
  [
    'an error status is added, with the body of the other errors',
    `{responses: {${BAD_REQUEST}}}`,
    `{responses: {${BAD_REQUEST}, ${error('409', ERROR)}}}`,
    { response: 'additive' },
  ],
  [
    'an error status is added, with another body',
    `{responses: {${BAD_REQUEST}}}`,
    `{responses: {${BAD_REQUEST}, ${error('409', '{type: string}')}}}`,
    { response: 'breaking' },
  ],
  [
    'an error status is added, with the body of a success',
    `{responses: {200: {${json('{type: string}')}}}}`,
    `{responses: {200: {${json('{type: string}')}}, 409: {${json('{type: string}')}}}}`,
    { response: 'breaking' },
  ],
  [
    'an error status is added, without a body',
    `{responses: {${BAD_REQUEST}}}`,
    `{responses: {${BAD_REQUEST}, 409: {}}}`,
    { response: 'breaking' },
  ],
  [
    'a default response is added, with the body of the errors',
    `{responses: {${SUCCESS}, ${BAD_REQUEST}}}`,
    `{responses: {${SUCCESS}, ${BAD_REQUEST}, ${error('default', ERROR)}}}`,
    { response: 'additive' },
  ],
  [
    'a default response is added, with another body',
    `{responses: {${SUCCESS}, ${BAD_REQUEST}}}`,
    `{responses: {${SUCCESS}, ${BAD_REQUEST}, ${error('default', '{type: string}')}}}`,
    { response: 'breaking' },
  ],
  [
    'an error status is removed',
    `{responses: {${BAD_REQUEST}, ${error('409', ERROR)}}}`,
    `{responses: {${BAD_REQUEST}}}`,
    { response: 'additive' },
  ],
  [
    'the default response gets a status of its own',
    `{responses: {default: {${json('{type: integer}')}}}}`,
    `{responses: {default: {${json('{type: integer}')}}, 404: {${json('{type: number}')}}}}`,
    { response: 'breaking' },
  ],
  [
    'a range takes the place of an error status',
    `{responses: {404: {${json('{type: number}')}}}}`,
    `{responses: {4XX: {${json('{type: integer}')}}}}`,
    { response: 'additive' },
  ],
  [
    'a range with another body takes the place of an error status',
    `{responses: {404: {${json('{type: integer}')}}}}`,
    `{responses: {4XX: {${json('{type: number}')}}}}`,
    { response: 'breaking' },
  ],
  [
    'a response gets another media type',
    '{responses: {200: {content: {application/json: {}}}}}',
    '{responses: {200: {content: {application/json: {}, text/csv: {}}}}}',
    { response: 'breaking' },
  ],
  [
    'a response loses a media type',
    '{responses: {200: {content: {application/json: {}, text/csv: {}}}}}',
    '{responses: {200: {content: {application/json: {}}}}}',
    { response: 'breaking' },
  ],
  [
    'a response gets a body',
    '{responses: {200: {}}}',
    '{responses: {200: {content: {application/json: {}}}}}',
    { response: 'additive' },
  ],
  [
    'the media type that is sent by default changes',
    '{responses: {200: {content: {application/json: {}, text/csv: {}}}}}',
    '{responses: {200: {content: {text/csv: {}, application/json: {}}}}}',
    { response: 'breaking' },
  ],
  [
    'the media types of a request change their order',
    '{requestBody: {content: {application/json: {}, text/csv: {}}}}',
    '{requestBody: {content: {text/csv: {}, application/json: {}}}}',
    {},
  ],
  // A response to a request that accepts no declared media type was the first one.
  ...['{application/json: {}}', '{application/json: {}, text/csv: {}}'].map((content): DocumentCase => [
    `unacceptable requests for ${content} are refused`,
    `{responses: {200: {content: ${content}}, ${BAD_REQUEST}}}`,
    `{responses: {200: {content: ${content}}, ${BAD_REQUEST}, ${error('406', ERROR)}}}`,
    { response: 'breaking' },
  ]),
  ['a header is added', '{responses: {200: {}}}', header('required: true'), { response: 'additive' }],
  ['a header is removed', header('required: true'), '{responses: {200: {}}}', { response: 'breaking' }],
  ['an optional header is removed', header('schema: {}'), '{responses: {200: {}}}', { response: 'breaking' }],
  ['a header becomes optional', header('required: true'), header('schema: {}'), { response: 'breaking' }],
  ['a header becomes required', header('schema: {}'), header('schema: {}, required: true'), { response: 'additive' }],
  ['a header moves from a schema to a media type', header('schema: {}'), header(json('{}')), { response: 'breaking' }],
  ['a header widens', header('schema: {type: integer}'), header('schema: {type: string}'), { response: 'breaking' }],
  [
    'the style of a header is written down',
    header('schema: {}'),
    header('schema: {}, style: simple, explode: false'),
    { document: 'documentation' },
  ],
  [
    'the name of a header changes its case',
    '{responses: {200: {headers: {X-Total: {schema: {}}}}}}',
    '{responses: {200: {headers: {x-total: {schema: {}}}}}}',
    { document: 'documentation' },
  ],
  [
    'links are added',
    '{responses: {200: {}}}',
    '{responses: {200: {links: {next: {operationId: a}}}}}',
    { response: 'breaking' },
  ],
  [
    'a link is described',
    links('next: {operationId: a}'),
    links('next: {operationId: a, description: B}'),
    { response: 'documentation' },
  ],
  [
    'a link leads to another operation',
    links('next: {operationId: a, description: A}'),
    links('next: {operationId: b, description: B}'),
    { response: 'breaking' },
  ],
  ['a link is removed', links('next: {}, last: {}'), links('next: {}'), { response: 'breaking' }],
  ['a response gets an extension', '{responses: {}}', '{responses: {x-a: 1}}', { response: 'breaking' }],
  [
    'descriptions change',
    '{responses: {200: {description: A}}}',
    '{responses: {200: {description: B}}}',
    { response: 'documentation' },
  ],
  [
    'a request widens and a response narrows',
    `{requestBody: {${json('{maximum: 5}')}}, responses: {200: {${json('{maximum: 5}')}}}}`,
    `{requestBody: {${json('{maximum: 9}')}}, responses: {200: {${json('{maximum: 3}')}}}}`,
    { request: 'additive', response: 'additive' },
  ],
  [
    'a request narrows and a response widens',
    `{requestBody: {${json('{maximum: 5}')}}, responses: {200: {${json('{maximum: 5}')}}}}`,
    `{requestBody: {${json('{maximum: 3}')}}, responses: {200: {${json('{maximum: 9}')}}}}`,
    { request: 'breaking', response: 'breaking' },
  ],
  [
    'much changes at once',
    `{summary: A, parameters: [{in: query, name: a, schema: {}}], responses: {${SUCCESS}}}`,
    `{summary: B, responses: {200: {headers: {X-A: {schema: {}}}, ${json('{type: object}')}}}}`,
    { document: 'documentation', request: 'breaking', response: 'additive' },
  ],
];

export const OPERATION_CASES: readonly DocumentCase[] = [
  ['the operationId changes', '{operationId: listPets}', '{operationId: getPets}', { document: 'breaking' }],
  ['an operationId is given', '{}', '{operationId: listPets}', { document: 'additive' }],
  [
    'every text of an operation changes',
    '{summary: A, description: A, externalDocs: {url: A}, tags: [A], x-deprecated-at: 2026-01-01, x-successor: A}',
    '{summary: B, description: B, externalDocs: {url: B}, tags: [B], x-deprecated-at: 2027-01-01, x-successor: B}',
    { document: 'documentation' },
  ],
  ['an operation moves to a server of its own', '{}', '{servers: [{url: /v2}]}', { request: 'breaking' }],
  ['an operation becomes deprecated', '{}', '{deprecated: true}', { document: 'documentation' }],
  ['the end of an operation is announced', '{}', '{x-sunset: 2030-12-05}', { document: 'documentation' }],
  [
    'the end of an operation comes earlier',
    '{x-sunset: 2030-12-05}',
    '{x-sunset: 2029-12-05}',
    { document: 'breaking' },
  ],
  [
    'the end of an operation comes later',
    '{x-sunset: 2030-12-05}',
    '{x-sunset: 2031-12-05}',
    { document: 'documentation' },
  ],
  ['an unknown extension is added', '{}', '{x-rate-limit: 5}', { document: 'breaking' }],
  ['callbacks are added', '{}', '{callbacks: {done: {}}}', { document: 'breaking' }],
  ['callbacks are removed', '{callbacks: {done: {}}}', '{}', { document: 'breaking' }],
  [
    'the texts of a callback change',
    callback('{summary: A, description: A, tags: [A], externalDocs: {url: A}}'),
    callback('{summary: B, description: B, tags: [B], externalDocs: {url: B}}'),
    { document: 'documentation' },
  ],
  [
    'the texts of the path of a callback change',
    '{callbacks: {done: {"{$url}": {summary: A, description: A}}}}',
    '{callbacks: {done: {"{$url}": {summary: B, description: B}}}}',
    { document: 'documentation' },
  ],
  [
    'the body of a callback changes',
    callback(`{description: A, requestBody: {${json('{type: string}')}}}`),
    callback(`{description: B, requestBody: {${json('{type: integer}')}}}`),
    { document: 'breaking' },
  ],
  ['a callback gets another method', callback('{}'), callback('{}, put: {}'), { document: 'breaking' }],
  [
    'a callback is sent to another address',
    callback('{}'),
    callback('{}').replace('url', 'uri'),
    { document: 'breaking' },
  ],
  ['authentication is required', '{}', '{security: [{key: []}]}', { request: 'breaking' }],
  ['authentication is no longer required', '{security: [{key: []}]}', '{security: []}', { request: 'additive' }],
  [
    'another scheme is accepted',
    '{security: [{key: []}]}',
    '{security: [{key: []}, {login: []}]}',
    { request: 'additive' },
  ],
  [
    'a second scheme is required',
    '{security: [{key: []}]}',
    '{security: [{key: [], login: []}]}',
    { request: 'breaking' },
  ],
  ['a scheme is replaced', '{security: [{key: []}]}', '{security: [{login: []}]}', { request: 'breaking' }],
  ['a scope is required', '{security: [{login: []}]}', '{security: [{login: [write]}]}', { request: 'breaking' }],
  [
    'a scope is no longer required',
    '{security: [{login: [write]}]}',
    '{security: [{login: []}]}',
    { request: 'additive' },
  ],
  [
    'a scheme that is used in the same way has another name, to which another guard belongs',
    '{security: [{key: []}]}',
    '{security: [{sameKey: []}]}',
    { request: 'breaking' },
  ],
  [
    'a scheme that is used in the same way is accepted, too',
    '{security: [{key: []}]}',
    '{security: [{key: []}, {sameKey: []}]}',
    { request: 'additive' },
  ],
  [
    'one of two schemes that are used in the same way is no longer accepted',
    '{security: [{key: []}, {sameKey: []}]}',
    '{security: [{key: []}]}',
    { request: 'breaking' },
  ],
  [
    'schemes change places',
    '{security: [{key: []}, {login: []}]}',
    '{security: [{login: []}, {key: []}]}',
    { document: 'documentation' },
  ],
];

const paths = (items: string, schemas = '{}'): string =>
  `{openapi: 3.0.3, paths: {${items}}, components: {schemas: ${schemas}}}`;
const TAGGED =
  '{oneOf: [{$ref: "#/components/schemas/A"}, {$ref: "#/components/schemas/B"}], discriminator: {propertyName: kind}}';
const TAGGED_A = '{type: object, required: [kind], properties: {kind: {type: string}, a: {type: string}}}';
const TAGGED_B = '{type: object, required: [kind], properties: {kind: {type: string}, b: {type: string}}}';
const servers = (list: string): string => `{openapi: 3.0.3, servers: ${list}}`;
const withServers = (list: string, items: string): string => `{openapi: 3.0.3, servers: ${list}, paths: {${items}}}`;
const V1 = '{url: "{base}", variables: {base: {default: /v1}}}';

export const DOCUMENT_CASES: readonly DocumentCase[] = [
  ['a path is added', paths('/a: {get: {}}'), paths('/a: {get: {}}, /b: {get: {}}'), { request: 'additive' }],
  ['a path is removed', paths('/a: {get: {}}, /b: {get: {}}'), paths('/a: {get: {}}'), { request: 'breaking' }],
  // Of several paths that match, the service takes the one with the most text of its own that declares the method.
  [
    'paths with more and less text of their own change their order',
    paths('"/a/{id}": {get: {}}, "/{key}/b": {get: {}}'),
    paths('"/{key}/b": {get: {}}, "/a/{id}": {get: {}}'),
    {},
  ],
  [
    'paths that match the same requests change their order',
    paths('"/a/{id}.b": {get: {}}, "/a/b.{key}": {get: {}}'),
    paths('"/a/b.{key}": {get: {}}, "/a/{id}.b": {get: {}}'),
    { request: 'breaking' },
  ],
  [
    'paths that never match the same requests change their order',
    paths(
      '"/a/{id}.x": {get: {}}, "/a/{id}.y": {get: {}}, "/a/x{id}.d/e": {get: {}}, "/a/y{id}.d/e": {get: {}}, "/a/x{id}.c/e": {get: {}}, /f: {get: {}}',
    ),
    paths(
      '/f: {get: {}}, "/a/x{id}.c/e": {get: {}}, "/a/y{id}.d/e": {get: {}}, "/a/x{id}.d/e": {get: {}}, "/a/{id}.y": {get: {}}, "/a/{id}.x": {get: {}}',
    ),
    {},
  ],
  [
    'a path with less text of its own is added before one that matches the same requests',
    paths('"/a/{id}": {get: {}}'),
    paths('"/{key}/b": {get: {}}, "/a/{id}": {get: {}}'),
    { request: 'additive' },
  ],
  [
    'a path with more text of its own is added behind one that matches the same requests',
    paths('"/a/{id}": {get: {}}'),
    paths('"/a/{id}": {get: {}}, "/a/{id}.csv": {get: {}}'),
    { request: 'breaking' },
  ],
  [
    'a method is added to a path with more text of its own',
    paths('"/a/{id}": {get: {}}, "/a/{id}.csv": {post: {}}'),
    paths('"/a/{id}": {get: {}}, "/a/{id}.csv": {post: {}, get: {}}'),
    { request: 'breaking' },
  ],
  [
    'a path with another method is added beside one that matches the same requests',
    paths('"/a/{id}": {get: {}}'),
    paths('"/a/{id}": {get: {}}, /a/mine: {post: {}}'),
    { request: 'additive' },
  ],
  ...[
    ['/a/mine', '{}', 'breaking'],
    ['/a/mine', '{type: string}', 'breaking'],
    ['/a/mine', '{type: string, pattern: "^m"}', 'breaking'],
    ['/a/mine', '{type: string, enum: [mine]}', 'breaking'],
    ['/a/mine', '{type: string, pattern: "^x"}', 'additive'],
    ['/a/mine', '{type: string, enum: [yours]}', 'additive'],
    ['/a/mine', '{type: string, format: uuid}', 'additive'],
    ['/a/mine', '{type: integer, format: int64}', 'additive'],
    ['"/a/{id}.csv"', '{type: string, pattern: "^x"}', 'breaking'],
    ['"/a/{id}.csv"', '{type: string, enum: [b.csv]}', 'breaking'],
    ['"/a/{id}.csv"', '{type: string, enum: [b.txt]}', 'additive'],
    ['"/a/{id}.csv"', '{type: string, format: uuid}', 'additive'],
    ['"/a/{id}.csv"', '{type: integer, format: int64}', 'additive'],
    ['"/a/-{id}"', '{type: integer, format: int64}', 'breaking'],
  ].map(([path, schema, verdict]): DocumentCase => {
    const parameters = `parameters: [{in: path, name: id, required: true, schema: ${schema}}]`;
    const item = `"/a/{id}": {get: {${parameters}}}`;
    const title = `${path} is added beside a parameter with ${schema}`;
    return [title, paths(item), paths(`${item}, ${path}: {get: {}}`), { request: verdict as Verdict }];
  }),
  [
    'a path is added that a parameter of a whole path does not match',
    paths('"/a/{id}": {parameters: [{in: path, name: id, required: true, schema: {type: integer}}], get: {}}'),
    paths(
      '"/a/{id}": {parameters: [{in: path, name: id, required: true, schema: {type: integer}}], get: {}}, /a/mine: {get: {}}',
    ),
    { request: 'additive' },
  ],
  [
    'an operation is removed from one of two paths that differ only in their parameter',
    paths('"/a/{id}": {get: {}, put: {}}, "/a/{key}": {delete: {}}'),
    paths('"/a/{id}": {get: {}}, "/a/{key}": {delete: {}}'),
    { request: 'breaking' },
  ],
  [
    'an operation changes on one of two paths that differ only in their parameter',
    paths(`"/a/{id}": {get: ${query('schema: {maximum: 100}')}}, "/a/{key}": {delete: {}}`),
    paths(`"/a/{id}": {get: ${query('schema: {maximum: 50}')}}, "/a/{key}": {delete: {}}`),
    { request: 'breaking' },
  ],
  [
    'an operation moves to a path that differs only in its parameter',
    paths('"/a/{id}": {get: {}, delete: {}}'),
    paths('"/a/{id}": {get: {}}, "/a/{key}": {delete: {}}'),
    { document: 'documentation' },
  ],
  ['a method is added', paths('/a: {get: {}}'), paths('/a: {get: {}, put: {}}'), { request: 'additive' }],
  ['a method is removed', paths('/a: {get: {}, put: {}}'), paths('/a: {get: {}}'), { request: 'breaking' }],
  [
    'a path parameter is renamed',
    paths('"/a/{id}": {get: {parameters: [{in: path, name: id, required: true, schema: {}}]}}'),
    paths('"/a/{petId}": {get: {parameters: [{in: path, name: petId, required: true, schema: {}}]}}'),
    { document: 'documentation' },
  ],
  [
    'a parameter moves from the operation to its path',
    paths('/a: {get: {parameters: [{in: query, name: a, schema: {}}]}}'),
    paths('/a: {parameters: [{in: query, name: a, schema: {}}], get: {}}'),
    { document: 'documentation' },
  ],
  ['the server moves to another address', servers('[{url: /v1}]'), servers('[{url: /v2}]'), { request: 'breaking' }],
  ['another server comes first', servers('[{url: /v1}]'), servers('[{url: /v2}, {url: /v1}]'), { request: 'breaking' }],
  [
    'servers change their order',
    servers('[{url: /v1}, {url: /v2}]'),
    servers('[{url: /v2}, {url: /v1}]'),
    { request: 'breaking' },
  ],
  ['a server is added', servers('[{url: /v1}]'), servers('[{url: /v1}, {url: /v2}]'), { request: 'additive' }],
  ['an address is written with a variable', servers('[{url: /v1}]'), servers(`[${V1}]`), { request: 'additive' }],
  [
    'the default of a server variable changes',
    servers(`[${V1}]`),
    servers(`[${V1.replace('/v1', '/v2')}]`),
    { request: 'breaking' },
  ],
  [
    'a security scheme changes for every operation',
    '{security: [{key: []}], paths: {/a: {get: {}}}, components: {securitySchemes: {key: {type: http, scheme: bearer}}}}',
    '{security: [{key: []}], paths: {/a: {get: {}}}, components: {securitySchemes: {key: {type: http, scheme: basic}}}}',
    { request: 'breaking' },
  ],
  [
    'the descriptions of a server change',
    servers('[{url: "{base}", description: A, variables: {base: {default: /v1, description: A}}}]'),
    servers('[{url: "{base}", description: B, variables: {base: {default: /v1, description: B}}}]'),
    { request: 'documentation' },
  ],
  [
    'a server variable loses a value',
    servers('[{url: "{base}", variables: {base: {default: /v1, enum: [/v1, /v2]}}}]'),
    servers('[{url: "{base}", variables: {base: {default: /v1, enum: [/v1]}}}]'),
    { request: 'breaking' },
  ],
  ['a server variable disappears', servers(`[${V1}]`), servers('[{url: /v1}]'), { request: 'breaking' }],
  [
    'a path moves to a server of its own',
    paths('/a: {get: {}}'),
    paths('/a: {get: {}, servers: [{url: /v2}]}'),
    { request: 'breaking' },
  ],
  // An operation without servers has those of its path, and these those of the document.
  [
    'an operation moves to the server that a document without servers has',
    withServers('[{url: https://x/v1}]', '/a: {get: {}}'),
    withServers('[{url: https://x/v1}]', '/a: {get: {servers: [{url: /}]}}'),
    { request: 'breaking' },
  ],
  [
    'an operation moves from the server of its path to that of the document',
    withServers('[{url: /v1}]', '/a: {servers: [{url: /v2}], get: {}}'),
    withServers('[{url: /v1}]', '/a: {servers: [{url: /v2}], get: {servers: [{url: /v1}]}}'),
    { request: 'breaking' },
  ],
  [
    'an operation loses the server of its own',
    withServers('[{url: /v1}]', '/a: {get: {servers: [{url: /}]}}'),
    withServers('[{url: /v1}]', '/a: {get: {}}'),
    { request: 'breaking' },
  ],
  [
    'a path moves to the server that a document without servers has',
    withServers('[{url: /v1}]', '/a: {get: {}}'),
    withServers('[{url: /v1}]', '/a: {servers: [{url: /}], get: {}}'),
    { request: 'breaking' },
  ],
  [
    'a document with an empty list of servers moves to another address',
    servers('[]'),
    servers('[{url: /v2}]'),
    { request: 'breaking' },
  ],
  [
    'the server of an operation is written down',
    withServers('[{url: https://x/v1}]', '/a: {get: {}}'),
    withServers('[{url: https://x/v1}]', '/a: {get: {servers: [{url: https://x/v1}]}}'),
    { document: 'documentation' },
  ],
  [
    'the server of an operation moves to its path',
    withServers('[{url: /v1}]', '/a: {get: {servers: [{url: /v2}]}}'),
    withServers('[{url: /v1}]', '/a: {servers: [{url: /v2}], get: {}}'),
    { document: 'documentation' },
  ],
  [
    'the texts of a path change',
    paths('/a: {get: {}, summary: A, description: A}'),
    paths('/a: {get: {}, summary: B, description: B}'),
    { document: 'documentation' },
  ],
  ['paths get an extension', paths('/a: {}'), paths('/a: {}, x-a: 1'), { document: 'breaking' }],
  [
    'authentication is required for every operation',
    '{paths: {/a: {get: {}}}, components: {securitySchemes: {key: {type: http}}}}',
    '{security: [{key: []}], paths: {/a: {get: {}}}, components: {securitySchemes: {key: {type: http}}}}',
    { request: 'breaking' },
  ],
  [
    'a scheme that nothing requires takes the place of another',
    '{components: {securitySchemes: {key: {type: http, scheme: bearer}}}}',
    '{components: {securitySchemes: {login: {type: http, scheme: basic}}}}',
    { document: 'documentation' },
  ],
  [
    'every text of the document changes',
    '{tags: [{name: A}], externalDocs: {url: A}, info: {title: A, summary: A, description: A, termsOfService: A, contact: {name: A}, license: {name: A}, version: 1.0.0}}',
    '{tags: [{name: B}], externalDocs: {url: B}, info: {title: B, summary: B, description: B, termsOfService: B, contact: {name: B}, license: {name: B}, version: 1.0.1}}',
    { document: 'documentation' },
  ],
  [
    'a component with a slash in its name narrows',
    `{paths: {/a: {get: {responses: {200: {${json('{$ref: "#/components/schemas/a~1b%20c"}')}}}}}}, components: {schemas: {a/b c: {type: number}}}}`,
    `{paths: {/a: {get: {responses: {200: {${json('{$ref: "#/components/schemas/a~1b%20c"}')}}}}}}, components: {schemas: {a/b c: {type: integer}}}}`,
    { response: 'additive' },
  ],
  ['info gets an extension', '{info: {}}', '{info: {x-logo: a}}', { document: 'documentation' }],
  ['info gets an unknown member', '{info: {}}', '{info: {logo: a}}', { document: 'breaking' }],
  ['a patch of OpenAPI changes', '{openapi: 3.0.3}', '{openapi: 3.0.4}', { document: 'documentation' }],
  ['the dialect changes', '{openapi: 3.0.3}', '{openapi: 3.1.0}', { document: 'additive' }],
  [
    'the dialect changes to one that the service does not read',
    '{openapi: 3.1.0}',
    '{openapi: 3.2.0}',
    { document: 'breaking' },
  ],
  ['an unknown extension appears', '{}', '{x-limits: {}}', { document: 'breaking' }],
  ['webhooks are added', '{}', '{webhooks: {sold: {}}}', { document: 'breaking' }],
  [
    'a response before routing is removed',
    '{x-protocol-responses: {404: {description: A}, 503: {description: B}}}',
    '{x-protocol-responses: {404: {description: A}}}',
    { response: 'additive' },
  ],
  [
    'a component that nothing uses changes',
    '{components: {schemas: {A: {type: string}}}}',
    '{components: {schemas: {B: {type: integer}}}}',
    { document: 'documentation' },
  ],
  [
    'an inline schema becomes a component',
    paths(`/a: {get: {responses: {200: {${json('{type: string}')}}}}}`),
    `{openapi: 3.0.3, paths: {/a: {get: {responses: {200: {${json('{$ref: "#/components/schemas/A"}')}}}}}}, components: {schemas: {A: {type: string}}}}`,
    { document: 'documentation' },
  ],
  [
    'tagged schemas trade their names',
    paths(`/a: {put: {requestBody: {${json(TAGGED)}}}}`, `{A: ${TAGGED_A}, B: ${TAGGED_B}}`),
    paths(`/a: {put: {requestBody: {${json(TAGGED)}}}}`, `{A: ${TAGGED_B}, B: ${TAGGED_A}}`),
    { request: 'breaking' },
  ],
  ['nothing changes', '{openapi: 3.0.3, info: {title: A}}', '{info: {title: A}, openapi: 3.0.3}', {}],
];

const pet = (schema: string): string => `{requestBody: {${json(`{type: object, properties: {a: ${schema}}}`)}}}`;
const MEMBER = 'request: GET /things › body › application/json › a';

/** An operation before and after, and every change with its direction and place. */
export const TEXT_CASES: readonly (readonly [before: string, after: string, changes: readonly string[]])[] = [
  [
    '{operationId: a, x-sunset: 2030-12-05}',
    '{operationId: b, x-sunset: 2031-12-05}',
    ['document: GET /things: operationId a → "b"', 'document: GET /things: x-sunset changed'],
  ],
  [query('schema: {maximum: 9}'), query('schema: {maximum: 5}'), ['request: GET /things › query limit: maximum 9 → 5']],
  [
    query('schema: {}'),
    query('schema: {}, explode: false'),
    ['request: GET /things › query limit: explode true → false: cannot be judged'],
  ],
  [`{requestBody: {required: true, ${json('{}')}}}`, '{}', ['request: GET /things › body: body removed']],
  [pet('{enum: [a, 9223372036854775807]}'), pet('{enum: [a]}'), [`${MEMBER}: enum without 9223372036854775807`]],
  [pet('{minimum: 1}'), pet('{exclusiveMinimum: true, minimum: 1}'), [`${MEMBER}: minimum 1 → 1 (exclusive)`]],
  [pet('{type: number, nullable: true}'), pet('{type: string}'), [`${MEMBER}: type null | number → string`]],
  [pet(ERROR), pet('{type: string}'), [`${MEMBER}: type object → string`, `${MEMBER} › code: member removed`]],
  [pet(`{pattern: ${'a'.repeat(80)}}`), pet('{}'), [`${MEMBER}: pattern "${'a'.repeat(58)}… → none`]],
  [pet(`{oneOf: [${ERROR}, {type: string}]}`), pet(`{oneOf: [${ERROR}]}`), [`${MEMBER}: alternative removed: string`]],
];
