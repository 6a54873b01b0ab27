const QUIET = 'src/platform/http/internals/quiet-requests.ts';
const TURN = 'src/platform/process/end-of-turn.ts';
const STREAMS = 'platform/streams/request-streams';

/** Requests whose stream emits no events, and the responses to what was committed. */
export default [
  {
    mistake: 'a handler that listens to a request without a body never hears of its end',
    file: QUIET,
    text: 'if (isListenedTo(this)) return false;',
    replacement: '',
    tests: STREAMS,
    promise: 'ends as in Node: without a body, to whose close a handler listens',
  },
  {
    mistake: 'a middleware that counts the bytes of a body sees none',
    file: QUIET,
    text: 'if (isListenedTo(this)) {',
    replacement: 'if (isListenedTo(this) && this.destroyed) {',
    tests: STREAMS,
    promise: 'passes a body to a receiver and to a handler that listens',
  },
  {
    mistake: 'what has arrived of a body before it is received is lost',
    file: QUIET,
    text: 'else if (arrived && !receiver.add(arrived)) return;',
    replacement: '',
    tests: STREAMS,
    promise: 'passes a body that has arrived before to a receiver',
  },
  {
    mistake: 'a body that has arrived before it is received never ends',
    file: QUIET,
    text: 'else if (this.complete) receiver.end();',
    replacement: '',
    tests: STREAMS,
    promise: 'passes a body that has arrived before to a receiver',
  },
  {
    mistake: 'the stream of a body that was received never ends for a handler that listens later',
    file: QUIET,
    text: 'this.read();\n      }\n      receiver.end();',
    replacement: '}\n      receiver.end();',
    tests: STREAMS,
    promise: 'tells a handler that listens only later that it has ended',
  },
  {
    mistake: 'a receiver waits forever for a client that is gone',
    file: QUIET,
    text: 'this.#receiver?.abort();',
    replacement: '',
    tests: STREAMS,
    promise: 'tells a receiver that the client is gone: while it is received',
  },
  {
    mistake: 'a receiver waits forever for a client that was gone before',
    file: QUIET,
    text: 'if (this.destroyed) receiver.abort();\n      else if',
    replacement: 'if',
    tests: STREAMS,
    promise: 'tells a receiver that the client is gone: before it is received',
  },
  {
    mistake: 'the responses to creations are written one by one',
    file: 'src/platform/http/internals/batched-writes.ts',
    text: 'if (isBehind() || willCommit())',
    replacement: 'if (isBehind())',
    tests: 'platform/connections/response-batching',
    promise: 'are each written in one piece after all of them have ended: creations',
  },
  {
    mistake: 'the responses to creations wait until Node has read again',
    file: TURN,
    text: "function respondToCommitted(): void {\n  run('respond');",
    replacement: 'function respondToCommitted(): void {',
    tests: 'unit/end-of-turn',
    promise: 'responds after everything that waited for a commit, before Node reads again',
  },
];
