const LISTED = 'src/platform/http/server/listed-headers.ts';
const PROPERTIES = 'properties/response-headers';
const HEADERS = 'platform/connections/response-headers';

/** The headers of responses, which the platform keeps in a list. */
export default [
  {
    mistake: 'a header given as a list is added to the stored one',
    file: 'src/platform/http/server/given-headers.ts',
    text: 'for (const [name] of pairs) response.removeHeader(name);',
    replacement: '',
    tests: HEADERS,
    promise: 'has each header exactly once after it sets',
  },
  {
    mistake: 'a header that is set twice is sent twice',
    file: LISTED,
    text: ' || this.hasHeader(name)) {',
    replacement: ') {',
    tests: PROPERTIES,
    promise: 'has the same headers, results and errors as a response of Node',
  },
  {
    mistake: "headers are lost when they move to Node's store",
    file: LISTED,
    text: 'storeHeaders(this, list);',
    replacement: '',
    tests: PROPERTIES,
    promise: 'has the same headers, results and errors as a response of Node',
  },
  {
    mistake: 'a listener cannot read the headers that were sent',
    file: LISTED,
    text: 'this.#list = headers;',
    replacement: '',
    tests: HEADERS,
    promise: 'shows all its headers to a finish listener',
  },
];
