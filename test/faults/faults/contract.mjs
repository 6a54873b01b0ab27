const SOURCE = 'src/platform/contract/contract-source.ts';
const READ = 'src/platform/contract/read-contract.ts';
const SERIALISER = 'src/platform/contract/serialiser.ts';
const START = 'platform/contract-start';

/** openapi.yaml, how it is read, and how responses are written from it. */
export default [
  {
    mistake: 'lone surrogates are written as they are',
    file: 'src/platform/contract/json-writers.ts',
    text: String.raw`\u001f\ud800-\udfff]`,
    replacement: String.raw`\u001f]`,
    tests: 'unit/serialiser',
    promise: String.raw`escapes "\ud800"`,
  },
  {
    mistake: 'a number outside the exact range is written',
    file: 'src/platform/contract/json-writers.ts',
    text: 'if (Number.isSafeInteger(value)) return',
    replacement: 'if (Number.isInteger(value)) return',
    tests: 'unit/serialiser',
    promise: 'throws for a number that is not exact for an integer',
  },
  {
    mistake: 'members of allOf are never required',
    file: SERIALISER,
    text: `new Set(parts.flatMap((part) => part.get('required')`,
    replacement: `new Set([schema].flatMap((part) => part.get('required')`,
    tests: 'unit/serialiser',
    promise: 'throws for a missing required member of allOf',
  },
  {
    mistake: 'null is never allowed',
    file: SERIALISER,
    text: `return (value) => (value === null ? 'null' : write(value));`,
    replacement: 'return write;',
    tests: 'unit/serialiser',
    promise: 'writes null where it is declared',
  },
  {
    mistake: 'an operation may be declared for TRACE',
    file: READ,
    text: `['head', 'options', 'trace']`,
    replacement: `['head', 'options']`,
    tests: START,
    promise: 'prevent the start when an operation is declared for trace',
  },
  {
    mistake: 'an operationId may be used twice',
    file: READ,
    text: 'if (ids.has(operation.id))',
    replacement: 'if (ids.has(operation.path))',
    tests: START,
    promise: 'is rejected at start with its position: a duplicate operationId',
  },
  {
    mistake: '30 February counts as 2 March',
    file: READ,
    text: ' && day.toISOString().startsWith(`${node.text()}T`)',
    replacement: '',
    tests: START,
    promise: 'is rejected at start with its position: a day that does not exist',
  },
  {
    mistake: 'an operation need not declare 503',
    file: READ,
    text: 'ALWAYS_NEEDED = [500, 503]',
    replacement: 'ALWAYS_NEEDED = [500]',
    tests: START,
    promise: 'is rejected at start with its position: an operation that does not declare 503',
  },
  {
    mistake: 'a public operation requires a key',
    file: READ,
    text: `node.get('security') ?? root.need('security')`,
    replacement: `root.need('security')`,
    tests: 'platform/nest/nest-idioms',
    promise: 'is public when the operation declares no security',
  },
  {
    mistake: 'a circular reference is followed for ever',
    file: SOURCE,
    text: 'if (seen.includes(reference))',
    replacement: 'if (seen.length > 1e6)',
    tests: START,
    promise: 'is rejected at start with its position: a circular $ref',
  },
  {
    mistake: 'a reference may lead to members that every object has',
    file: SOURCE,
    text: '(Object.hasOwn(Object(at), step) ?',
    replacement: '(at ?',
    tests: START,
    promise: 'is rejected at start with its position: a $ref to a member of Object.prototype',
  },
  {
    mistake: 'the contract allows a limit of 1000',
    file: 'openapi.yaml',
    text: 'maximum: 100\n',
    replacement: 'maximum: 1000\n',
    tests: 'test/contract/contract.e2e',
    promise: 'openapi.yaml and the code describe the same interface',
  },
  {
    mistake: 'the contract removes getPet a year later',
    file: 'openapi.yaml',
    text: 'x-sunset: 2030-12-05',
    replacement: 'x-sunset: 2031-12-05',
    tests: 'test/specification/get-pet',
    promise: 'is to be removed on 5 December 2030',
  },
  {
    mistake: 'the contract does not require Retry-After',
    file: 'openapi.yaml',
    text: `Seconds to wait before retrying.
      required: true`,
    replacement: `Seconds to wait before retrying.
      required: false`,
    tests: 'test/contract/contract.e2e',
    promise: 'openapi.yaml and the code describe the same interface',
  },
];
