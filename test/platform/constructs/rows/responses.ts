import { ConflictException } from '@nestjs/common';
import { getOf, json, type Part, postOf } from '../base-contract.js';
import { documentation, honoured, refused, type Row } from '../row.js';
import { MEDIA_TYPES } from './media-types.js';

function header(members: object): Row['edit'] {
  return (contract: Part) => (postOf(contract).responses[201].headers = { 'X-Count': members });
}

function content(types: object): Row['edit'] {
  return (contract: Part) => (postOf(contract).responses[201].content = types);
}

function errorHeader(status: number, members: object): Row['edit'] {
  return (contract: Part) => {
    const { responses } = postOf(contract);
    responses[status] = { ...responses[status], headers: { 'X-Count': members } };
  };
}

function component(name: string, value: object): Row['edit'] {
  return (contract: Part) => (contract.components[name] = value);
}

const TEXT = { schema: { type: 'string' } };

class Account {
  readonly passwordHash = 'hunter2';

  toJSON(): object {
    return { name: 'Ann' };
  }
}

/** Responses, their headers and media types, and the components. */
export const RESPONSES: readonly Row[] = [
  honoured('Response: status', () => {}, 'an undeclared one becomes a 500', [{ status: 201 }]),
  refused(
    'Response: default',
    (contract) => (postOf(contract).responses.default = { description: 'Any.' }),
    '"default" is not a status; ranges and "default" are not supported',
  ),
  refused(
    'Response: 4XX',
    (contract) => (postOf(contract).responses['4XX'] = { description: 'Any.' }),
    '"4XX" is not a status; ranges and "default" are not supported',
  ),
  ...[100, 103].map((status) =>
    refused(
      `Response: ${status}`,
      (contract) => (postOf(contract).responses[status] = { description: 'Early.' }),
      `the status ${status} is informational, so no response would follow; declare a final status`,
    ),
  ),
  refused(
    'Response: links',
    (contract) => (postOf(contract).responses[201].links = {}),
    '"links" is not supported; remove them',
  ),
  honoured(
    'Response: without content',
    (contract) => delete postOf(contract).responses[201].content,
    'a handler that returns a value gets a 500, unless the status has no body, such as 204',
    [
      { status: 201, answer: null, text: '' },
      { status: 500, answer: { a: 1 }, message: 'The service failed; the request was not at fault.' },
      { status: 201, answer: '', text: '' },
    ],
  ),
  honoured(
    'Response: application/json',
    content(json({ type: 'object', required: ['a'], properties: { a: { type: 'integer' } } })),
    'checked while it is written; a violation is a 500, and the log names the member',
    [
      { status: 201, answer: { a: 1 }, text: '{"a":1}' },
      { status: 500, answer: { a: 'x' }, message: 'The service failed; the request was not at fault.' },
      { status: 500, answer: {} },
    ],
  ),
  honoured(
    'Response: an object with toJSON',
    content(json({ type: 'object', additionalProperties: true })),
    'what it returns is checked and sent, also inside of objects and lists; it gets no arguments',
    [
      { status: 201, answer: new Account(), text: '{"name":"Ann"}' },
      { status: 201, answer: { owners: [new Account()] }, text: '{"owners":[{"name":"Ann"}]}' },
      { status: 500, answer: { toJSON: () => 'Ann' }, message: 'The service failed; the request was not at fault.' },
    ],
  ),
  ...MEDIA_TYPES,
  refused(
    'Response: required member without a schema',
    content(json({ type: 'object', required: ['a'] })),
    'the required member "a" of a response must be in "properties"',
  ),
  honoured(
    'Header: required',
    header({ required: true, schema: { type: 'integer', minimum: 1 } }),
    'checked; a missing one is a 500',
    [
      { status: 201, answerHeaders: { 'X-Count': '1' } },
      { status: 500 },
      { status: 500, answerHeaders: { 'X-Count': '0' } },
    ],
  ),
  honoured('Header: optional', header({ schema: { type: 'integer' } }), 'checked when it is sent', [
    { status: 201 },
    ...['a', '05', '-0', '+5', '5.0'].map((text) => ({ status: 500, answerHeaders: { 'X-Count': text } })),
    ...['0', '-5', '9007199254740993'].map((text) => ({ status: 201, answerHeaders: { 'X-Count': text } })),
  ]),
  honoured('Header: of an error', errorHeader(400, { schema: { type: 'string' } }), 'checked when it is sent', [
    { status: 400, body: [] },
  ]),
  ...[400, 413, 415, 500, 503].map((status) =>
    refused(
      `Header: required of ${status}, which the service sends itself`,
      errorHeader(status, { required: true, schema: { type: 'string' } }),
      `the service sends ${status} without this header; make it optional`,
    ),
  ),
  refused(
    'Header: required of 429, where a key is required',
    (contract) => {
      postOf(contract).responses[429] = { ...postOf(contract).responses[400] };
      errorHeader(429, { required: true, schema: { type: 'string' } })(contract);
    },
    'the service sends 429 without this header; make it optional',
  ),
  refused(
    'Header: required of 404, where the path can be invalid',
    (contract) => {
      getOf(contract).parameters[0].schema = { type: 'integer' };
      getOf(contract).responses[404] = {
        ...getOf(contract).responses[404],
        headers: { 'X-Count': { required: true, schema: { type: 'string' } } },
      };
    },
    'the service sends 404 without this header; make it optional',
  ),
  honoured(
    'Header: required of an error that only the handler sends',
    (contract) => {
      postOf(contract).responses[409] = { ...postOf(contract).responses[400] };
      errorHeader(409, { required: true, schema: { type: 'string' } })(contract);
    },
    'checked; an error without it becomes a 500',
    [
      { status: 500, body: {}, answer: new ConflictException() },
      { status: 409, body: {}, answer: new ConflictException(), answerHeaders: { 'X-Count': '1' } },
    ],
  ),
  honoured(
    'Header: ETag of an error that only the handler sends',
    (contract) => {
      const headers = { ETag: { required: true, schema: { type: 'string' } } };
      postOf(contract).responses[409] = { ...postOf(contract).responses[400], headers };
    },
    'checked; an error without it becomes a 500',
    [
      { status: 500, body: {}, answer: new ConflictException() },
      { status: 409, body: {}, answer: new ConflictException(), answerHeaders: { ETag: '"1"' } },
    ],
  ),
  documentation(
    'Header: description, deprecated, example',
    header({ description: 'A.', deprecated: true, example: 1, schema: { type: 'integer' } }),
  ),
  honoured(
    'Header: style simple, explode false',
    header({ style: 'simple', explode: false, schema: { type: 'string' } }),
    'as written',
    [{ status: 201 }],
  ),
  refused(
    'Header: another style',
    header({ style: 'form', schema: { type: 'string' } }),
    '"style" of a header must be simple',
  ),
  refused(
    'Header: explode',
    header({ explode: true, schema: { type: 'string' } }),
    '"explode" of a header is not supported; remove it',
  ),
  refused(
    'Header: array',
    header({ schema: { type: 'array', items: { type: 'string' } } }),
    'a header must be a scalar',
  ),
  refused('Header: content', header({ content: {} }), '"content" is not supported; describe the value with "schema"'),
  ...Object.entries({ 400: 'BAD_REQUEST', 401: 'UNAUTHORIZED', 415: 'UNSUPPORTED_MEDIA_TYPE' }).map(([status, code]) =>
    refused(
      `Response: ${status} whose enum lacks the code that the service sends`,
      (contract) => {
        const { Error } = contract.components.schemas;
        const properties = { ...Error.properties, code: { type: 'string', enum: ['OWN_CODE'] } };
        postOf(contract).responses[status] = { description: 'Own.', content: json({ ...Error, properties }) };
      },
      `the service sends ${status} with the code "${code}", which the schema must accept`,
    ),
  ),
  refused(
    'Header: name and in',
    header({ name: 'a', schema: { type: 'string' } }),
    '"name" is not a member of a header; remove it, or let its name begin with "x-"',
  ),
  refused(
    'Header: name that no header has',
    (contract) => (postOf(contract).responses[201].headers = { 'x a': { schema: { type: 'string' } } }),
    '"x a" cannot be the name of a header; use letters, digits, "-" and "_"',
  ),
  refused(
    'Header: declared twice, in other letters',
    (contract) =>
      (postOf(contract).responses[201].headers = {
        'X-A': { schema: { type: 'string' } },
        'x-a': { schema: { type: 'integer' } },
      }),
    'the header "x-a" is declared twice; remove one of them',
  ),
  refused(
    'Header: Content-Type',
    (contract) => (postOf(contract).responses[201].headers = { 'Content-Type': TEXT }),
    'the media type determines Content-Type; remove the header',
  ),
  refused(
    'Header: Trailer',
    (contract) => (postOf(contract).responses[201].headers = { Trailer: TEXT }),
    'trailers are not supported; remove the header',
  ),
  ...['Content-Length', 'date'].map((name) =>
    refused(
      `Header: ${name}`,
      (contract) => (postOf(contract).responses[201].headers = { [name]: TEXT }),
      `the server itself sets ${name}; remove the header`,
    ),
  ),
  documentation(
    'Components: schemas, also unused ones',
    (contract) => (contract.components.schemas.Unused = { type: 'string' }),
  ),
  documentation('Components: responses, parameters, examples, requestBodies, headers', (contract) => {
    Object.assign(contract.components, {
      responses: { Unused: { description: 'A.' } },
      parameters: { Unused: { name: 'a', in: 'query', schema: { type: 'string' } } },
      examples: { Unused: { value: 1 } },
      requestBodies: { Unused: { content: json({ type: 'object' }) } },
      headers: { Unused: TEXT },
    });
  }),
  refused(
    'Components: unused schema with an unsupported member',
    (contract) => (contract.components.schemas.Unused = { type: 'string', not: {} }),
    '"not" is not supported; describe what is allowed',
  ),
  ...(
    [
      [
        'style matrix',
        'parameters',
        { name: 'a', in: 'path', required: true, style: 'matrix', schema: { type: 'string' } },
        'the style "matrix" is not supported in the path; supported: simple',
      ],
      [
        'in body',
        'parameters',
        { name: 'a', in: 'body', schema: { type: 'object' } },
        '"in" must be one of path, query, header, cookie',
      ],
      [
        'parameter without schema',
        'parameters',
        { name: 'a', in: 'query' },
        'components.parameters.Unused lacks "schema"',
      ],
      [
        'recursive schema',
        'schemas',
        { type: 'object', properties: { a: { $ref: '#/components/schemas/Unused' } } },
        'recursive schemas are not supported',
      ],
      [
        'enum that breaks maxLength',
        'schemas',
        { type: 'string', maxLength: 1, enum: ['ab'] },
        'the value breaks the rules beside it: it must be a string of at most 1 character',
      ],
      ['default of the wrong type', 'schemas', { type: 'string', default: 1 }, 'the default must be a string'],
      [
        'default of a required member',
        'schemas',
        { type: 'object', required: ['a'], properties: { a: { type: 'string', default: 'b' } } },
        '"default" has no effect on a required member; remove one of them',
      ],
      [
        'discriminator without its tag',
        'schemas',
        { oneOf: [{ $ref: '#/components/schemas/Error' }], discriminator: { propertyName: 'kind' } },
        'the alternative "Error" must require "kind" and declare it, neither readOnly nor writeOnly',
      ],
      [
        'array header',
        'headers',
        { schema: { type: 'array', items: { type: 'string' } } },
        'a header must be a scalar',
      ],
      [
        'text/csv of an object',
        'responses',
        { description: 'A.', content: { 'text/csv': { schema: { type: 'object' } } } },
        '"type" of a body that is not JSON is not supported; use "type: string"',
      ],
      [
        'default of a required body',
        'requestBodies',
        { required: true, content: json({ type: 'object', default: {} }) },
        '"default" of a required body has no effect; remove it',
      ],
    ] as const
  ).map(([name, kind, value, note]) =>
    refused(
      `Components: unused ${name}`,
      (contract: Part) => (contract.components[kind] = { ...contract.components[kind], Unused: value }),
      note,
    ),
  ),
  refused(
    'Path: a parameter that every operation replaces',
    (contract) => {
      contract.paths['/things'].parameters = [{ name: 'x', in: 'query', schema: { type: 'object' } }];
      postOf(contract).parameters = [{ name: 'x', in: 'query', schema: { type: 'string' } }];
    },
    'an object as a parameter must be in the query and have the style deepObject',
  ),
  documentation('Components: schemas that only responses have', (contract) => {
    contract.components.schemas.Made = {
      type: 'object',
      required: ['value'],
      properties: { value: { $ref: '#/components/schemas/Value' } },
    };
    contract.components.schemas.Value = {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'string', default: 'b' } },
    };
    contract.components.schemas.Csv = { type: 'string', format: 'binary' };
    contract.components.responses = {
      Unused: { description: 'A.', content: json({ $ref: '#/components/schemas/Made' }) },
    };
  }),
  refused('Components: links', component('links', {}), '"links" is not supported; remove them'),
  refused(
    'Components: callbacks',
    component('callbacks', {}),
    '"callbacks" is not supported; the service sends no requests; remove them',
  ),
  {
    ...refused(
      'Components: pathItems',
      component('pathItems', {}),
      '"pathItems" is not supported; declare the paths in "paths"',
    ),
    version: '3.1.0',
  },
  refused(
    'Components: unknown member',
    component('schema', {}),
    '"schema" is not a member of the components; remove it, or let its name begin with "x-"',
  ),
];
