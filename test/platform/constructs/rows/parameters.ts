import { getOf, type Part, postOf } from '../base-contract.js';
import { documentation, honoured, type Probe, refused, type Row } from '../row.js';

const INTEGERS = { type: 'array', items: { type: 'integer' } };
const FILTER = {
  type: 'object',
  properties: { size: { type: 'integer' }, color: { type: 'string' } },
  additionalProperties: false,
};

function parameter(place: string, members: object): Row['edit'] {
  return (contract: Part) => void postOf(contract).parameters.push({ name: 'x', in: place, ...members });
}

function query(construct: string, members: object, note: string, probes: readonly Probe[]): Row {
  return honoured(construct, parameter('query', members), note, probes);
}

const sees = (target: string, x: unknown): Probe => ({ target, status: 201, seen: { query: { x } } });
const rejects = (target: string, message: string): Probe => ({ target, status: 400, message });

function inPath(schema: object, members: object = {}): Row['edit'] {
  return (contract: Part) => Object.assign(getOf(contract).parameters[0], { schema, ...members });
}

/** Where parameters are, and how they are written. */
export const PARAMETERS: readonly Row[] = [
  query('Parameter: in query', { schema: { type: 'string' } }, 'checked; a repeated scalar is refused', [
    sees('?x=a', 'a'),
    { target: '', status: 201 },
    rejects('?x=a&x=b', 'x must be given once'),
  ]),
  query('Parameter: required', { required: true, schema: { type: 'string' } }, 'checked', [
    sees('?x=', ''),
    rejects('', 'x is required'),
  ]),
  query('Parameter: type integer', { schema: { type: 'integer', maximum: 5 } }, 'read from canonical decimal text', [
    sees('?x=5', 5),
    ...['6', '05', '1e0', '+1', '', 'a', '1.0'].map((text) =>
      rejects(`?x=${encodeURIComponent(text)}`, 'x must be an integer up to 5'),
    ),
  ]),
  query('Parameter: format int64', { schema: { type: 'integer', format: 'int64' } }, 'exact; a bigint beyond 2^53', [
    sees('?x=9223372036854775807', 9223372036854775807n),
    rejects('?x=9223372036854775808', 'x must be an integer from -9223372036854775808 to 9223372036854775807'),
  ]),
  query('Parameter: type number', { schema: { type: 'number' } }, 'read from a number of JSON', [
    sees('?x=-0.5', -0.5),
    sees('?x=1e2', 100),
    rejects('?x=.5', 'x must be a number'),
    rejects('?x=NaN', 'x must be a number'),
  ]),
  query('Parameter: type boolean', { schema: { type: 'boolean' } }, 'true or false; the handler sees a boolean', [
    sees('?x=false', false),
    sees('?x=true', true),
    rejects('?x=0', 'x must be true or false'),
  ]),
  query('Parameter: enum', { schema: { type: 'string', enum: ['a', 'b'] } }, 'checked', [
    sees('?x=a', 'a'),
    rejects('?x=c', 'x must be one of a, b'),
  ]),
  query(
    'Parameter: default',
    { schema: { type: 'integer', default: 7 } },
    'given to the handler when the parameter is absent',
    [sees('', 7), sees('?x=1', 1)],
  ),
  query('Parameter: pattern', { schema: { type: 'string', pattern: '^a' } }, 'checked', [
    rejects('?x=b', 'x must be a string that matches ^a'),
  ]),
  query(
    'Parameter: allOf',
    { schema: { allOf: [{ type: 'integer' }, { type: 'integer', minimum: 1 }] } },
    'every part is checked',
    [sees('?x=1', 1), rejects('?x=0', 'x must be an integer from 1')],
  ),
  query(
    'Parameter: allOf of a list',
    { schema: { allOf: [INTEGERS], description: 'Some.' } },
    'a repeated parameter is an array',
    [sees('?x=1&x=2', [1, 2]), rejects('?x=a', 'x.0 must be an integer')],
  ),
  query('Parameter: style form, explode', { schema: INTEGERS }, 'a repeated parameter is an array', [
    sees('?x=1&x=2', [1, 2]),
    sees('?x=1', [1]),
    rejects('?x=1&x=a', 'x.1 must be an integer'),
  ]),
  query(
    'Parameter: style form, explode, of texts',
    { schema: { type: 'array', items: { type: 'string' } } },
    'without a text, a list of one empty text',
    [sees('?x=', ['']), sees('?x=a,b', ['a,b'])],
  ),
  query(
    'Parameter: style form, explode false',
    { explode: false, schema: { type: 'array', items: { type: 'string' } } },
    'split at commas before it is decoded',
    [
      sees('?x=a,b%2Cc', ['a', 'b,c']),
      sees('?x=a,%C3', ['a', '\uFFFD']),
      sees('?x=', []),
      rejects('?x=a&x=b,c', 'x must be given once'),
      rejects('?x=&x=', 'x must be given once'),
    ],
  ),
  query('Parameter: style spaceDelimited', { style: 'spaceDelimited', schema: INTEGERS }, 'split at spaces', [
    sees('?x=1%202+3', [1, 2, 3]),
  ]),
  query('Parameter: style pipeDelimited', { style: 'pipeDelimited', schema: INTEGERS }, 'split at bars', [
    sees('?x=1|2%7C3', [1, 2, 3]),
  ]),
  query(
    'Parameter: style deepObject',
    { style: 'deepObject', explode: true, schema: FILTER },
    'members in brackets become an object',
    [
      sees('?x[size]=1&x[color]=red', { size: 1, color: 'red' }),
      rejects('?x[size]=a', 'x.size must be an integer'),
      rejects('?x[other]=a', 'x.other is not declared'),
      rejects('?x=a', 'x must be an object'),
    ],
  ),
  query(
    'Parameter: allowReserved',
    { allowReserved: true, schema: { type: 'string' } },
    'reserved characters are always read',
    [sees('?x=a/b?c', 'a/b?c')],
  ),
  honoured(
    'Parameter: in header',
    parameter('header', { required: true, schema: { type: 'integer' } }),
    'checked; the handler sees the text',
    [
      { headers: { x: '1' }, status: 201, seen: { headers: { x: '1' } } },
      { headers: { x: 'a' }, status: 400, message: 'header x must be an integer' },
      { status: 400, message: 'header x is required' },
    ],
  ),
  honoured('Parameter: array in header', parameter('header', { schema: INTEGERS }), 'split at commas', [
    { headers: { x: '1, 2' }, status: 201 },
    { headers: { x: '1, a' }, status: 400, message: 'header x.1 must be an integer' },
  ]),
  honoured(
    'Parameter: in cookie',
    parameter('cookie', { required: true, schema: { type: 'string', minLength: 2 } }),
    'checked',
    [
      { headers: { cookie: 'a=1; x=ab' }, status: 201 },
      { headers: { cookie: 'x=a' }, status: 400, message: 'cookie x must be a string of at least 2 characters' },
      { status: 400, message: 'cookie x is required' },
    ],
  ),
  honoured(
    'Parameter: in path',
    inPath({ type: 'integer', format: 'int64' }),
    'checked after the pipes of the handler; 404, or 400 where no 404 is declared',
    [
      { method: 'GET', target: '/7', status: 200, seen: { thingId: '7' } },
      { method: 'GET', target: '/a', status: 404, message: 'No resource at /v1/things/a.' },
      { method: 'GET', target: '/01', status: 404 },
      { method: 'GET', target: '/9223372036854775808', status: 404 },
    ],
  ),
  honoured(
    'Parameter: of a path',
    (contract) => {
      contract.paths['/things'].parameters = [{ name: 'x', in: 'query', required: true, schema: { type: 'string' } }];
    },
    'checked for each operation',
    [rejects('', 'x is required')],
  ),
  honoured(
    'Parameter: of an operation that has the name of one of the path',
    (contract) => {
      contract.paths['/things'].parameters = [{ name: 'x', in: 'query', required: true, schema: { type: 'string' } }];
      parameter('query', { schema: { type: 'integer' } })(contract);
    },
    'replaces it',
    [{ target: '', status: 201 }, rejects('?x=a', 'x must be an integer')],
  ),
  honoured(
    'Parameter: header of an operation that has the name of one of the path in other letters',
    (contract) => {
      contract.paths['/things'].parameters = [
        { name: 'X-A', in: 'header', required: true, schema: { type: 'string', maxLength: 1 } },
      ];
      postOf(contract).parameters = [{ name: 'x-a', in: 'header', schema: { type: 'string', maxLength: 2 } }];
    },
    'replaces it: case does not matter in the name of a header',
    [
      { status: 201 },
      { headers: { 'X-A': 'ab' }, status: 201 },
      { headers: { 'X-A': 'abc' }, status: 400, message: 'header x-a must be a string of at most 2 characters' },
    ],
  ),
  documentation(
    'Parameter: description, deprecated, example, examples',
    parameter('query', { description: 'A text.', deprecated: true, example: 'a', schema: { type: 'string' } }),
  ),
  refused(
    'Parameter: x-demand',
    parameter('query', { 'x-demand': 'must be a name', schema: { type: 'string' } }),
    '"x-demand" has an effect only in a schema; move it there, or remove it',
  ),
  refused(
    'Parameter: in body',
    parameter('body', { schema: { type: 'string' } }),
    '"in" must be one of path, query, header, cookie',
  ),
  refused(
    'Parameter: allowEmptyValue',
    parameter('query', { allowEmptyValue: true, schema: { type: 'string' } }),
    '"allowEmptyValue" is not supported; allow the empty text in "schema"',
  ),
  refused(
    'Parameter: content',
    parameter('query', { content: {} }),
    '"content" is not supported; describe the value with "schema"',
  ),
  refused(
    'Parameter: style matrix',
    inPath({ type: 'string' }, { style: 'matrix' }),
    'the style "matrix" is not supported in the path; supported: simple',
  ),
  refused(
    'Parameter: style label',
    inPath({ type: 'string' }, { style: 'label' }),
    'the style "label" is not supported in the path; supported: simple',
  ),
  refused('Parameter: array in path', inPath(INTEGERS), 'an array in the path is not supported; use the query'),
  refused(
    'Parameter: array in cookie',
    parameter('cookie', { schema: INTEGERS }),
    'an array in the cookie is not supported; use the query',
  ),
  refused(
    'Parameter: object in query without deepObject',
    parameter('query', { schema: FILTER }),
    'an object as a parameter must be in the query and have the style deepObject',
  ),
  refused(
    'Parameter: deepObject of a scalar',
    parameter('query', { style: 'deepObject', schema: { type: 'string' } }),
    'the style deepObject needs a schema of the type object',
  ),
  refused(
    'Parameter: pipeDelimited scalar',
    parameter('query', { style: 'pipeDelimited', schema: { type: 'string' } }),
    'the style pipeDelimited needs a schema of the type array',
  ),
  refused(
    'Parameter: pipeDelimited and explode',
    parameter('query', { style: 'pipeDelimited', explode: true, schema: INTEGERS }),
    'the style pipeDelimited needs "explode: false"',
  ),
  refused(
    'Parameter: array of arrays',
    parameter('query', { schema: { type: 'array', items: INTEGERS } }),
    'the items of a parameter must be scalars',
  ),
  refused(
    'Parameter: object of arrays',
    parameter('query', { style: 'deepObject', schema: { type: 'object', properties: { a: INTEGERS } } }),
    'the members of a parameter must be scalars',
  ),
  refused(
    'Parameter: member beside $ref',
    (contract: Part) => {
      contract.components.parameters = { X: { name: 'x', in: 'query', schema: { type: 'string' } } };
      postOf(contract).parameters.push({ $ref: '#/components/parameters/X', required: true });
    },
    '"required" beside "$ref" is not supported; put it where the reference leads, or remove it',
  ),
  refused(
    'Parameter: oneOf',
    parameter('query', { schema: { oneOf: [{ type: 'string' }] } }),
    '"oneOf" of a parameter is not supported; declare one type',
  ),
  refused(
    'Parameter: oneOf in a part of allOf',
    parameter('query', {
      style: 'deepObject',
      explode: true,
      schema: { type: 'object', allOf: [FILTER, { oneOf: [FILTER] }] },
    }),
    '"oneOf" of a parameter is not supported; declare one type',
  ),
  refused(
    'Parameter: anyOf with null',
    parameter('query', { schema: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
    'a parameter cannot be null; declare its type without "anyOf"',
    '3.1.0',
  ),
  refused(
    'Parameter: nullable',
    parameter('query', { schema: { type: 'string', nullable: true } }),
    'a parameter cannot be null; leave it out instead',
  ),
  refused(
    'Parameter: default of a header',
    parameter('header', { schema: { type: 'string', default: 'a' } }),
    '"default" of a parameter in the header is not supported; remove it',
  ),
  refused(
    'Parameter: default of a required one',
    parameter('query', { required: true, schema: { type: 'string', default: 'a' } }),
    '"default" of a required parameter has no effect; remove it',
  ),
  refused(
    'Parameter: Authorization',
    (contract) =>
      void postOf(contract).parameters.push({ name: 'Authorization', in: 'header', schema: { type: 'string' } }),
    'the header Authorization cannot be a parameter; remove it',
  ),
  refused(
    'Parameter: Content-Encoding, beside a body',
    (contract) =>
      void postOf(contract).parameters.push({ name: 'content-encoding', in: 'header', schema: { type: 'string' } }),
    'a body is read without a Content-Encoding; remove the parameter',
  ),
  refused(
    'Parameter: declared twice',
    (contract) => {
      parameter('query', { schema: { type: 'string' } })(contract);
      parameter('query', { schema: { type: 'string' } })(contract);
    },
    'the parameter "x" is declared twice; remove one of them',
  ),
  refused(
    'Parameter: header declared twice, in other letters',
    (contract) => {
      parameter('header', { schema: { type: 'string' } })(contract);
      postOf(contract).parameters.push({ name: 'X', in: 'header', schema: { type: 'string' } });
    },
    'the parameter "X" is declared twice; remove one of them',
  ),
  refused(
    'Parameter: a member of a deepObject',
    (contract) => {
      postOf(contract).parameters.push({ name: 'x[size]', in: 'query', schema: { type: 'string' } });
      parameter('query', { style: 'deepObject', schema: FILTER })(contract);
    },
    'it is also a member of the parameter "x"; rename one of them',
  ),
  refused(
    'Parameter: a deepObject in a deepObject',
    (contract) => {
      parameter('query', { style: 'deepObject', schema: FILTER })(contract);
      postOf(contract).parameters.push({ name: 'x[a', in: 'query', style: 'deepObject', schema: FILTER });
    },
    'it is also a member of the parameter "x"; rename one of them',
  ),
  honoured(
    'Parameter: beside a deepObject',
    (contract) => {
      parameter('query', { style: 'deepObject', schema: FILTER })(contract);
      for (const name of ['x[', 'xs[size]', 'y[]'])
        postOf(contract).parameters.push({ name, in: 'query', schema: { type: 'integer' } });
    },
    'read by its whole name',
    [
      {
        target: '?x[size]=1&x[=2&xs[size]=3&y[]=4',
        status: 201,
        seen: { query: { x: { size: 1 }, 'x[': 2, 'xs[size]': 3, 'y[]': 4 } },
      },
    ],
  ),
  ...['header', 'cookie'].map((place) =>
    refused(
      `Parameter: name that no ${place} has`,
      (contract: Part) => void postOf(contract).parameters.push({ name: 'a b', in: place, schema: { type: 'string' } }),
      '"a b" cannot be the name of a header or cookie; use letters, digits, "-" and "_"',
    ),
  ),
  refused(
    'Parameter: empty name',
    (contract) => void postOf(contract).parameters.push({ name: '', in: 'query', schema: { type: 'string' } }),
    'the name of a parameter cannot be empty',
  ),
  refused(
    'Parameter: optional in path',
    inPath({ type: 'string' }, { required: false }),
    'the path parameter "thingId" must have "required: true"',
  ),
  refused(
    'Parameter: in path, but not in its name',
    parameter('path', { required: true, schema: { type: 'string' } }),
    'the path /things has no parameter "x"; remove it',
  ),
  refused(
    'Parameter: required that is text',
    parameter('query', { required: 'true', schema: { type: 'string' } }),
    '"required" must be true or false',
  ),
  refused(
    'Parameter: unknown member',
    parameter('query', { requierd: true, schema: { type: 'string' } }),
    '"requierd" is not a member of a parameter; remove it, or let its name begin with "x-"',
  ),
];
