const ADMISSION = 'src/platform/http/load/admission.ts';
const BUDGET = 'src/platform/http/load/byte-budget.ts';
const CONNECTION = 'src/platform/http/load/client-connection.ts';
const TURN = 'src/platform/process/end-of-turn.ts';

/** What the service does when it has more to do than it can. */
export default [
  {
    mistake: 'large data may use up the memory of small data',
    file: BUDGET,
    text: 'this.#reserve = limit / 4;',
    replacement: 'this.#reserve = 0;',
    tests: 'platform/load/byte-budget',
    promise: 'leaves a quarter to small data',
  },
  {
    mistake: 'a client that has only just begun loses its request',
    file: BUDGET,
    text: ' && now - borrower.waitingSince >= PATIENCE',
    replacement: '',
    tests: 'platform/load/byte-budget',
    promise: 'gives up on no client that has waited for less than a second',
  },
  {
    mistake: 'the client with the least data gives way first',
    file: BUDGET,
    text: 'other.bytesAtClient - one.bytesAtClient',
    replacement: 'one.bytesAtClient - other.bytesAtClient',
    tests: 'platform/load/byte-budget',
    promise: 'gives up on the clients with the most data first, and only until there is room',
  },
  {
    mistake: 'the body of a client that disconnects stays counted',
    file: CONNECTION,
    text: `    while (this.waiting.length > 0) this.takeWaiting();
    this.#releaseBody();`,
    replacement: '    while (this.waiting.length > 0) this.takeWaiting();',
    tests: 'platform/load/client-connection',
    promise: 'releases everything when it closes',
  },
  {
    mistake: 'what is unsent is released twice',
    file: CONNECTION,
    text: 'Math.min(bytes, this.#unsentBytes)',
    replacement: 'bytes',
    tests: 'platform/load/client-connection',
    promise: 'releases unsent bytes only once when it has given them up',
  },
  {
    mistake: 'requests of a client that is gone are served',
    file: ADMISSION,
    text: `    this.#ready.delete(connection);
    connection.close();`,
    replacement: '    connection.close();',
    tests: 'platform/load/fairness',
    promise: 'are served one at a time, and no longer once their client is gone',
  },
  {
    mistake: 'a probe waits like any request',
    file: ADMISSION,
    text: 'if (this.handlers.isProbe(request)) this.#serve(connection, exchange);',
    replacement: 'if (false) this.#serve(connection, exchange);',
    tests: 'platform/load/overload',
    promise: 'serves what it can, and refuses what would wait too long: lists',
  },
  {
    mistake: 'nothing is refused, however long the wait',
    file: ADMISSION,
    text: 'now - waiting.arrivedAt > mayWait && this.#ready.size > 0',
    replacement: 'false',
    tests: 'platform/load/overload',
    promise: 'serves what it can, and refuses what would wait too long: creations',
  },
  {
    mistake: 'a client that nobody waits for is refused as well',
    file: ADMISSION,
    text: ' && this.#ready.size > 0',
    replacement: '',
    tests: 'platform/load/overload',
    promise: 'refuses none of the pipelined requests of a client that nobody waits for',
  },
  {
    mistake: 'the requests of a connection do not take turns',
    file: ADMISSION,
    text: 'connection.current || connection.waiting.length > 0 || connection.lastTurn === currentTurn()',
    replacement: 'connection.current',
    tests: 'platform/load/fairness',
    promise: 'delay the request of another client by at most a few requests of each connection',
  },
  {
    mistake: 'a connection is read on after it was cut',
    file: CONNECTION,
    text: 'stopParsing(this.socket);',
    replacement: '',
    tests: 'platform/load/deep-pipeline',
    promise: 'gets the responses to those that it has read, and then the end of the connection',
  },
  {
    mistake: 'responses are written before all reads have ended',
    file: TURN,
    text: 'afterHandlers(respond);',
    replacement: 'respond();',
    tests: 'unit/end-of-turn',
    promise: 'responds after everything that waited for a read',
  },
  {
    mistake: 'the service stays behind for good',
    file: TURN,
    text: '    leftOver -= 1;\n',
    replacement: '',
    tests: 'unit/end-of-turn',
    promise: 'makes the service behind until the work has run',
  },
];
