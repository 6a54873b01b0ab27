const EXCHANGE = 'src/platform/http/request/keyed-exchange.ts';
const KEYS = 'src/platform/idempotency/idempotency-keys.ts';
const OPERATIONS = 'database/keyed/keyed-operations';
const CREATE = 'api/create-pet/idempotency-key';

/** Requests with an Idempotency-Key. */
export default [
  {
    mistake: 'a change of a request with an Idempotency-Key reads its arguments when its transaction begins',
    file: 'src/platform/database/keyed/keyed-transactions.ts',
    text: 'const change = changeOf(this.transactions.tableOf(entity));\n    return this.run(request, (transaction) => transaction.change(entity, change));',
    replacement:
      'return this.run(request, (transaction) => transaction.change(entity, changeOf(this.transactions.tableOf(entity))));',
    tests: 'database/keyed/keyed-arguments',
    promise: 'takes what its arguments hold when it is called, however late its transaction begins',
  },
  {
    mistake: 'a response is not stored',
    file: 'src/platform/database/sqlite/sqlite-requests.ts',
    text: 'return this.#store.run(cells).changes > 0;',
    replacement: 'return cells.length > 0;',
    tests: CREATE,
    promise: 'repeats the first response byte for byte',
  },
  {
    mistake: 'a response is sent before it is stored',
    file: EXCHANGE,
    text: 'await this.#request.commit(',
    replacement: 'void this.#request.commit(',
    tests: OPERATIONS,
    promise: 'is undone when it delays the commit too long: wait after an insert',
  },
  {
    mistake: 'a failed request keeps what it changed',
    file: 'src/platform/idempotency/keyed-change.ts',
    text: 'this.#response.resolve(undefined);',
    replacement: "this.#response.resolve({ status: 201, headers: [], body: '{}' });",
    tests: OPERATIONS,
    promise: 'leaves nothing behind: fail after an insert',
  },
  {
    mistake: 'a request that runs is not known',
    file: KEYS,
    text: 'this.#running.set(request.hash, request);',
    replacement: '',
    tests: OPERATIONS,
    promise: 'refuses the key of a request that runs: insert after a wait',
  },
  {
    mistake: 'the body is not compared',
    file: KEYS,
    text: ', body]), ',
    replacement: ']), ',
    tests: CREATE,
    promise: 'rejects the key with another body',
  },
  {
    mistake: 'callers share their keys',
    file: KEYS,
    text: '`${identity.scope}\\n${contentOf(identity.key)}`',
    replacement: 'contentOf(identity.key)',
    tests: CREATE,
    promise: 'keeps the keys of API keys apart',
  },
  {
    mistake: 'a second change is committed by itself',
    file: 'src/platform/idempotency/keyed-request.ts',
    text: '    if (this.#change)\n',
    replacement: '    if (this.#change?.isHeld === false)\n',
    tests: OPERATIONS,
    promise: 'leaves nothing behind: insert twice',
  },
  {
    mistake: 'a key is kept for ever',
    file: 'src/platform/idempotency/retention.ts',
    text: '24n * 3_600_000n',
    replacement: '2400n * 3_600_000n',
    tests: CREATE,
    promise: 'forgets a key after 24 hours',
  },
  {
    mistake: 'a replica waits for another one that stores the same key',
    file: 'src/platform/database/postgres/tables/postgres-requests.ts',
    text: 'WHERE pg_try_advisory_xact_lock(hashtextextended("hash", 0))',
    replacement: 'WHERE true',
    tests: 'postgres/idempotency/keyed-replicas',
    promise: 'does not wait for a replica that has stopped in its commit',
  },
  {
    mistake: 'the failure of a request that another replica has served is answered',
    file: EXCHANGE,
    text: 'return this.#hasBegun && !isUnavailable ?',
    replacement: 'return this.#isClosed ?',
    tests: 'postgres/idempotency/keyed-replicas',
    promise: 'answers with the response of the replica that was first',
  },
  {
    mistake: 'an outage is logged with a stack when nothing can be pruned',
    file: 'src/platform/database/keyed/pruning.ts',
    text: 'if (error instanceof DatabaseUnavailable) ',
    replacement: 'if (!error) ',
    tests: 'database/keyed/pruning',
    promise: 'are removed later when the database was unavailable, which is logged once and without a stack',
  },
  {
    mistake: 'pruning goes on during a stop',
    file: 'src/platform/database/keyed/pruning.ts',
    text: 'if (this.#isStopped) return;',
    replacement: '',
    tests: 'database/keyed/pruning',
    promise: 'are not removed any more once a stop has begun',
  },
];
