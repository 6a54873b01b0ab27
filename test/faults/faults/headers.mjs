const LISTED = 'src/platform/http/response/listed-headers.ts';
const PROPERTIES = 'properties/response-headers';
const HEADERS = 'platform/connections/response-headers';

/** The headers of responses, which the platform keeps in a list. */
export default [
  {
    mistake: 'a header given as a list is added to the stored one',
    file: 'src/platform/http/response/given-headers.ts',
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
  {
    mistake: 'a type that a handler sets replaces that of its JSON',
    file: 'src/platform/http/server/edge-messages.ts',
    text: "if (this.hasHeader('Content-Type')) this.removeHeader('Content-Type');",
    replacement: '',
    tests: HEADERS,
    promise: 'has each header exactly once when it sets another content type',
  },
  {
    mistake: 'a header that was set before is sent beside the one given with the head',
    file: LISTED,
    text: 'set.some((_, index) => isGiven(index))',
    replacement: 'set.length < 0',
    tests: PROPERTIES,
    promise: 'has the same headers, results and errors as a response of Node',
  },
  {
    mistake: 'a header of several values is read as its first one',
    file: 'src/platform/http/response/given-headers.ts',
    text: 'if (index === -1) return value;',
    replacement: 'if (index > -2) return value;',
    tests: HEADERS,
    promise: 'shows every value of the headers given with the status to a finish listener',
  },
  {
    mistake: 'a fixed header is sent beside that of a handler',
    file: LISTED,
    text: 'if (hasName(headers, pair[0])) return true;',
    replacement: 'if (hasName(headers, pair[1])) return true;',
    tests: HEADERS,
    promise: 'keeps a Sunset that the handler sets',
  },
];
