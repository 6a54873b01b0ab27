const BODIES = 'test/support/contract/responses/response-violations.ts';
const HEADERS = 'test/support/contract/responses/header-violations.ts';
const MEDIA_TYPES = 'responses/media-types.spec';

/** How the tests themselves compare responses with the contract. */
export default [
  {
    mistake: 'the tests accept another media type than the declared one',
    file: BODIES,
    text: "types.find((type) => isOfType(mediaType ?? '', type))",
    replacement: 'types[0]',
    tests: MEDIA_TYPES,
    promise: 'reports: the media type is text/html instead of text/csv',
  },
  {
    mistake: 'the tests accept JSON without a length',
    file: BODIES,
    text: 'type !== JSON_TYPE && isOfType(mediaType, type)',
    replacement: 'isOfType(mediaType, type)',
    tests: MEDIA_TYPES,
    promise: 'reports: the body is sent with Transfer-Encoding instead of Content-Length',
  },
  {
    mistake: 'the tests expect the length of a body that a 304 does not have',
    file: BODIES,
    text: 'if (isHead || response.status === 304)',
    replacement: 'if (isHead)',
    tests: MEDIA_TYPES,
    promise: 'accepts 304',
  },
  {
    mistake: 'the tests accept an undeclared Vary where nothing is chosen',
    file: HEADERS,
    text: "(choosesMediaType && headers[name]?.join() === 'Accept')",
    replacement: "headers[name]?.join() === 'Accept' || choosesMediaType",
    tests: MEDIA_TYPES,
    promise: 'reports: the header vary is not declared',
  },
  {
    mistake: 'the tests accept the headers of an event stream with any response',
    file: HEADERS,
    text: "return headers['content-type']?.join() === 'text/event-stream';",
    replacement: 'return true;',
    tests: MEDIA_TYPES,
    promise: 'reports: the header pragma is not declared',
  },
  {
    mistake: 'the typed client of the tests cannot get a 304',
    file: 'test/support/http/client.ts',
    text: 'new Set([204, 205, 304])',
    replacement: 'new Set([204])',
    tests: 'http/client.spec',
    promise: 'gives the typed client a response whose status has no body',
  },
  {
    mistake: 'a Vary that the contract declares for a choice by Accept is compared with the code',
    file: 'test/contract/fixed-headers.ts',
    text: '...addedVary(declared.get(operation.operationId), status),',
    replacement: '',
    tests: 'contract/contract.e2e',
    promise: 'reports no difference when a contract declares the Vary that the platform adds',
  },
];
