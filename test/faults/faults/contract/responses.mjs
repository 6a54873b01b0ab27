const OWN = 'src/platform/contract/own-errors.ts';
const SCALARS = 'src/platform/contract/responses/scalar-writers.ts';
const SERIALISER = 'src/platform/contract/responses/serialiser.ts';
const CONSTRUCTS = 'platform/constructs/constructs';

/** What responses are checked for, and how they are written. */
export default [
  {
    mistake: 'an operation with a body need not declare 413',
    file: OWN,
    text: `[requestBody !== undefined, 413, 'its body can be too large'],`,
    replacement: '',
    tests: CONSTRUCTS,
    promise: 'stops the start: Operation: a body without 413',
  },
  {
    mistake: 'the schema of an error need not accept the code that the service sends',
    file: OWN,
    text: 'checkCode(node.need(String(status)), status, responses);',
    replacement: 'void checkCode;',
    tests: CONSTRUCTS,
    promise: 'stops the start: Response: 401 whose enum lacks the code that the service sends',
  },
  {
    mistake: 'the codes in the parts of an error are not found',
    file: 'src/platform/contract/responses/check-error.ts',
    text: 'return [schema, ...parts.flatMap(partsOf)];',
    replacement: 'return [schema, ...parts.slice(parts.length)];',
    tests: CONSTRUCTS,
    promise: 'acts: an error whose code a part of allOf lists',
  },
  {
    mistake: 'a pattern of a code excuses a limit of the message',
    file: 'src/platform/contract/responses/check-error.ts',
    text: "sentences.length > 0 && sentences.every((one) => one.startsWith('code '))",
    replacement: "sentences.some((one) => one.startsWith('code '))",
    tests: CONSTRUCTS,
    promise: 'stops the start: an error whose message has a limit, beside a pattern of its code',
  },
  {
    mistake: 'an operation that requires a key need not declare 401',
    file: OWN,
    text: `[scheme !== undefined, 401, 'it requires a key'],`,
    replacement: '',
    tests: CONSTRUCTS,
    promise: 'stops the start: Operation: a key without 401',
  },
  {
    mistake: 'an operation whose path can be invalid need declare no 404',
    file: OWN,
    text: `[check.path !== undefined && !responses.has(400), 404, 'its path can be invalid'],`,
    replacement: '',
    tests: CONSTRUCTS,
    promise: 'stops the start: Operation: a path that can be invalid, without 404',
  },
  {
    mistake: 'an enumeration of integers does not know bigints',
    file: SCALARS,
    text: `const key = typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;`,
    replacement: 'const key = value;',
    tests: 'unit/serialiser',
    promise: 'writes a bigint of an enumeration',
  },
  {
    mistake: 'a Map or a promise is written as an empty object',
    file: SERIALISER,
    text: `return isJsonObject(value) ? '{}' : fail('object', value);`,
    replacement: `return '{}';`,
    tests: 'unit/serialiser',
    promise: 'throws for a promise that nobody awaits as an object',
  },
  {
    mistake: 'NaN is written as null',
    file: 'src/platform/values/exact-json.ts',
    text: `if (typeof value === 'number') return Number.isFinite(value);`,
    replacement: `if (typeof value === 'number') return true;`,
    tests: 'unit/serialiser',
    promise: 'throws for NaN in an undeclared member, and names it',
  },
  {
    mistake: 'a handler may write the response itself',
    file: 'src/platform/http/server/edge-messages.ts',
    text: 'if (!reason) return false;',
    replacement: 'if (this.req) return false;',
    tests: 'platform/nest/nest-idioms',
    promise: 'a handler that writes the response itself gets a 500 to the caller and a log entry: json',
  },
  {
    mistake: 'an exception filter may not write the response',
    file: 'src/platform/http/internals/sync-execution-context.ts',
    text: `function failed(request: EdgeRequest, error: unknown): never {
  request.isHandling = false;`,
    replacement: `function failed(_request: EdgeRequest, error: unknown): never {`,
    tests: 'platform/nest/nest-idioms',
    promise: 'an exception goes to the filter of the method',
  },
  {
    mistake: 'a closed part of allOf allows the members of another part',
    file: 'src/platform/contract/responses/further-members.ts',
    text: 'if (foreign === undefined) continue;',
    replacement: 'continue;',
    tests: CONSTRUCTS,
    promise: 'stops the start: Schema: additionalProperties false inside allOf, beside other members of a response',
  },
  {
    mistake: 'an undefined member is written',
    file: SERIALISER,
    text: 'if (declared.has(name) || item === undefined) continue;',
    replacement: 'if (declared.has(name)) continue;',
    tests: 'unit/serialiser',
    promise: 'writes undeclared members with the schema for them, after the declared ones',
  },
];
