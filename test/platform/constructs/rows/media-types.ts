import { json, type Part, postOf } from '../base-contract.js';
import { honoured, type Probe, refused, type Row } from '../row.js';

const JSON_TYPE = 'application/json';
const TEXT = { schema: { type: 'string' } };

function content(types: object): Row['edit'] {
  return (contract: Part) => (postOf(contract).responses[201].content = types);
}

/** The request gets the media type, and the handler knows it. */
function chosen(accept: string, mediaType: string): Probe {
  const isJson = mediaType === JSON_TYPE;
  return {
    status: 201,
    headers: { accept },
    answer: isJson ? { a: 1 } : 'a,b',
    text: isJson ? '{"a":1}' : 'a,b',
    seen: { mediaType },
    responseHeaders: { 'content-type': isJson ? JSON_TYPE : `${mediaType}; charset=utf-8`, vary: 'Accept' },
  };
}

async function* yielding(...chunks: readonly unknown[]): AsyncGenerator {
  yield* chunks;
}

/** Bodies that are not JSON, and the choice among several media types. */
export const MEDIA_TYPES: readonly Row[] = [
  honoured('Response: text/plain', content({ 'text/plain': TEXT }), 'sent as it is; Content-Type as declared', [
    { status: 201, answer: 'a', text: 'a' },
    { status: 500, answer: { a: 1 } },
    { status: 500, answer: 'a', answerHeaders: { 'Content-Type': 'text/csv' } },
  ]),
  honoured(
    'Response: text/csv',
    content({ 'text/csv': { schema: { type: 'string', format: 'binary' } } }),
    'sent as it is; Content-Type as declared',
    [{ status: 201, answer: 'a,b', text: 'a,b' }],
  ),
  refused(
    'Response: limits of a body that is not JSON',
    content({ 'text/plain': { schema: { type: 'string', maxLength: 1 } } }),
    '"maxLength" of a body that is not JSON is not supported; use "type: string"',
  ),
  refused(
    'Response: a type for JSON with another name',
    content({ 'application/hal+json': { schema: { type: 'object' } } }),
    'application/hal+json would be sent as text that nothing checks; use application/json, or "type: string" and write the JSON with writeJson',
  ),
  honoured(
    'Response: several media types',
    content({ ...json({ type: 'object', properties: { a: { type: 'integer' } } }), 'text/csv': TEXT }),
    'chosen by Accept, the first one by default; the handler reads the choice with @AcceptedType()',
    [
      chosen('application/json, text/csv;q=0.9', JSON_TYPE),
      chosen('application/json;q=0.5, text/csv', 'text/csv'),
      chosen('text/*, application/json;q=0.9', 'text/csv'),
      chosen('text/*;q=0.2, */*;q=0.8, text/csv;q=0.1', JSON_TYPE),
      chosen('text/csv;q=0, */*', JSON_TYPE),
      chosen('text/csv; charset=utf-8', 'text/csv'),
      chosen('TEXT/CSV', 'text/csv'),
      chosen('*/*', JSON_TYPE),
      chosen('', JSON_TYPE),
      chosen('image/png', JSON_TYPE),
      chosen('text/csv; header=present', JSON_TYPE),
      { status: 500, headers: { accept: 'text/csv' }, answer: { a: 1 } },
      { status: 500, headers: { accept: JSON_TYPE }, answer: 'a' },
      { status: 500, headers: { accept: 'text/csv' }, answer: 'a', answerHeaders: { 'Content-Type': 'text/plain' } },
      {
        status: 400,
        headers: { accept: 'text/csv' },
        body: [],
        responseHeaders: { 'content-type': JSON_TYPE, vary: 'Accept' },
      },
      {
        status: 201,
        headers: { accept: 'text/csv' },
        answer: 'a',
        answerHeaders: { Vary: 'Origin' },
        responseHeaders: { vary: 'Origin, Accept' },
      },
    ],
  ),
  honoured(
    'Response: 406',
    (contract) => {
      content({ 'text/csv': TEXT })(contract);
      postOf(contract).responses[406] = postOf(contract).responses[400];
    },
    'a request that accepts no declared media type is refused',
    [
      { status: 201, answer: 'a', headers: { accept: 'text/*' } },
      {
        status: 406,
        headers: { accept: 'application/json' },
        message: 'The response is available only as text/csv.',
        responseHeaders: { vary: 'Accept' },
      },
      { status: 406, headers: { accept: 'text/csv;q=0' } },
    ],
  ),
  honoured('Response: Accept, without a choice', content({ 'text/csv': TEXT }), 'ignored', [
    {
      status: 201,
      answer: 'a',
      headers: { accept: 'application/json' },
      seen: { mediaType: 'text/csv' },
      responseHeaders: { vary: null },
    },
  ]),
  refused(
    'Response: other media types for another status',
    (contract) => {
      content({ ...json({ type: 'object', properties: { a: { type: 'string' } } }), 'text/csv': TEXT })(contract);
      postOf(contract).responses[202] = {
        description: 'Later.',
        content: json({ type: 'object', properties: { a: { type: 'string' } } }),
      };
    },
    'requests choose a media type before the status is known; declare application/json, text/csv for both',
  ),
  refused(
    'Response: several media types of an error',
    (contract) => {
      const { responses } = postOf(contract);
      responses[400] = {
        ...responses[400],
        content: { ...json({ type: 'object', properties: { a: { type: 'string' } } }), 'text/csv': TEXT },
      };
    },
    'the body of an error must be application/json',
  ),
  honoured(
    'Response: a streamed list',
    content({ 'application/x-ndjson': TEXT }),
    'each text or buffer that the handler yields is sent at once',
    [
      { status: 201, answer: yielding('{"a":1}\n', Buffer.from('{"a":2}\n')), text: '{"a":1}\n{"a":2}\n' },
      { status: 201, answer: yielding(), text: '', responseHeaders: { 'content-type': 'application/x-ndjson' } },
      { status: 201, answer: Buffer.from('{}\n'), text: '{}\n' },
      { status: 500, answer: yielding({ a: 1 }) },
    ],
  ),
  refused(
    'Response: range of media types',
    content({ 'text/*': TEXT }),
    '"text/*" is not a media type without parameters; write one such as application/json',
  ),
  refused(
    'Response: media type with parameters',
    content({ 'text/csv; header=present': TEXT }),
    '"text/csv; header=present" is not a media type without parameters; write one such as application/json',
  ),
];
