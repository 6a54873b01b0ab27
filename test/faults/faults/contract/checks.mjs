const BODIES = 'test/support/contract/responses/response-violations.ts';
const HEADERS = 'test/support/contract/responses/header-violations.ts';
const CELLS = 'test/support/contract/coverage/input-cells.ts';
const INPUTS = 'test/support/contract/coverage/operation-inputs.ts';
const BOUNDS = 'test/support/contract/coverage/integer-bounds.ts';
const MEDIA_TYPES = 'responses/media-types.spec';
const COVERAGE = 'coverage/input-cells';

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
  {
    mistake: 'the coverage never counts a boolean of the query',
    file: CELLS,
    text: "[cell('given', true, isPresent)]",
    replacement: "[cell('given', true, (value) => isPresent(value) && isOfType(value, schema.type ?? ''))]",
    tests: COVERAGE,
    promise: 'are all filled by requests: a list with explode false',
  },
  {
    mistake: 'the coverage never counts a deepObject',
    file: INPUTS,
    text: "style === 'deepObject' ?",
    replacement: "style === '' ?",
    tests: COVERAGE,
    promise: 'are all filled by requests: a deepObject',
  },
  {
    mistake: 'the coverage takes any parameter for a deepObject',
    file: INPUTS,
    text: 'member.startsWith(`${name}[`)',
    replacement: "member.includes('[')",
    tests: COVERAGE,
    promise: 'stay empty without a request for them',
  },
  {
    mistake: 'the coverage takes the number of a parameter for text',
    file: INPUTS,
    text: "type === 'number' || type === 'boolean' ? jsonValue(text) : text",
    replacement: 'text',
    tests: COVERAGE,
    promise: 'are all filled by requests: some numbers',
  },
  {
    mistake: 'the coverage never counts a cookie',
    file: INPUTS,
    text: "if (place === 'cookie')",
    replacement: "if (place === 'session')",
    tests: COVERAGE,
    promise: 'a cookie fills the cells of its parameter',
  },
  {
    mistake: 'the coverage expects that null is refused for a reference that may be null',
    file: CELLS,
    text: 'if (oneOf) return (oneOf as Schema[]).filter(acceptsNull).length === 1;',
    replacement: 'if (oneOf) return false;',
    tests: COVERAGE,
    promise: 'are all filled by requests: a reference that may be null',
  },
  {
    mistake: 'the coverage expects that a readOnly member is sent',
    file: CELLS,
    text: 'if (schema.readOnly === true) return READ_ONLY;',
    replacement: '',
    tests: COVERAGE,
    promise: 'are all filled by requests: a readOnly member',
  },
  {
    mistake: 'the coverage expects a bound that breaks multipleOf',
    file: BOUNDS,
    text: 'return highest - (rest < 0n ? rest + factor : rest);',
    replacement: 'return highest + rest - rest;',
    tests: COVERAGE,
    promise: 'are all filled by requests: a multiple between two bounds',
  },
  {
    mistake: 'the coverage expects an int64 beyond its exclusive bound',
    file: BOUNDS,
    text: 'above === undefined ? above : above + 1n',
    replacement: 'undefined',
    tests: COVERAGE,
    promise: 'are all filled by requests: an int64 above an exclusive bound',
  },
];
