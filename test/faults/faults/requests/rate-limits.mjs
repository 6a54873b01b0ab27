const BUCKETS = 'src/auth/token-buckets.ts';
const ADDRESSES = 'src/auth/client-addresses.ts';
const LIMITS = 'src/auth/rate-limits.ts';
const UNIT = 'unit/auth/token-buckets';
const REQUESTS = 'api/rate-limit/rate-limit';
const CLIENTS = 'api/rate-limit/client-addresses';

/** The limit of requests: by key, and by address without one. */
export default [
  {
    mistake: 'RateLimit is left out where only some successes declare it',
    file: 'src/auth/rate-limit-headers.ts',
    text: '    assertNoneDeclared(operation, lacking);\n',
    replacement: '',
    tests: 'api/rate-limit/rate-limit.e2e',
    promise: 'stops the start with RATE_LIMIT, and not without',
  },
  {
    mistake: 'a bucket grows without bound while it is not used',
    file: BUCKETS,
    text: 'Math.min(this.limit.requests, bucket.tokens + (now - bucket.at) / interval)',
    replacement: 'bucket.tokens + (now - bucket.at) / interval',
    tests: UNIT,
    promise: 'is full at first, and gets its tokens back evenly, up to its size',
  },
  {
    mistake: 'a refused request takes a token',
    file: BUCKETS,
    text: 'isServed ? tokens - 1 : tokens',
    replacement: 'tokens - 1',
    tests: UNIT,
    promise: 'takes no token for a request that it refuses',
  },
  {
    mistake: 'a bucket is dropped before it is full again',
    file: BUCKETS,
    text: 'this.#older.get(name) ?? {',
    replacement: '{',
    tests: UNIT,
    promise: 'are kept until they are full again, and dropped soon after',
  },
  {
    mistake: 'buckets are never dropped',
    file: BUCKETS,
    text: 'if (now - this.#turnedAt >= this.#window) this.#turn(now);',
    replacement: '',
    tests: UNIT,
    promise: 'are kept until they are full again, and dropped soon after',
  },
  {
    mistake: 'every address gets a bucket, however many there are',
    file: BUCKETS,
    text: 'if (this.#recent.size >= this.maximum) return this.#shared;',
    replacement: '',
    tests: UNIT,
    promise: 'take a limited room',
  },
  {
    mistake: 'all keys share a bucket',
    file: LIMITS,
    text: 'this.#keys.take(hash)',
    replacement: "this.#keys.take('')",
    tests: REQUESTS,
    promise: 'each key has its own limit',
  },
  {
    mistake: 'requests without a valid key have no limit',
    file: 'src/auth/bearer.guard.ts',
    text: 'this.limits?.takeFromAddress(request, request.res as EdgeResponse);',
    replacement: '',
    tests: REQUESTS,
    promise: 'replaces 401 by 429 for the address, and does not affect those with one',
  },
  {
    mistake: 'a request whose scope is not sufficient has no limit',
    file: 'src/auth/bearer.guard.ts',
    text: `    this.limits?.takeFromKey(key.hash, request.res as EdgeResponse);
    if (!key.mayWrite && !isReading(request)) return forbid(request.res as EdgeResponse);`,
    replacement: `    if (!key.mayWrite && !isReading(request)) return forbid(request.res as EdgeResponse);
    this.limits?.takeFromKey(key.hash, request.res as EdgeResponse);`,
    tests: REQUESTS,
    promise: 'a creation by a key that may only read counts',
  },
  {
    mistake: 'a start does not check that 429 is declared',
    file: LIMITS,
    text: 'if (operation.scheme === KEY_SCHEME) assertDeclared(operation, limit);',
    replacement: 'void operation;',
    tests: REQUESTS,
    promise: 'stops the start with RATE_LIMIT: a 429 without Retry-After',
  },
  {
    mistake: 'X-Forwarded-For of any client is believed',
    file: ADDRESSES,
    text: 'while (proxies.check(address)) {',
    replacement: 'while (address) {',
    tests: CLIENTS,
    promise: 'is limited by the address of its connection',
  },
  {
    mistake: 'the first address in X-Forwarded-For is that of the client',
    file: ADDRESSES,
    text: 'parse(entries.pop())',
    replacement: 'parse(entries.shift())',
    tests: CLIENTS,
    promise: 'what a client claims is not believed',
  },
  {
    mistake: 'each address of IPv6 is another client',
    file: ADDRESSES,
    text: '.slice(0, 4).join',
    replacement: '.join',
    tests: CLIENTS,
    promise: 'a network of 64 bits',
  },
];
