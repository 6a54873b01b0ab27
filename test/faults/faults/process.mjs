const CONFIG = 'src/config.ts';
const VALUES = 'src/config-values.ts';
const SERVER = 'src/platform/http/server/edge-server.ts';
const DESTINATION = 'src/platform/process/log-destination.ts';
const OUTAGE = 'src/platform/errors/outage-log.ts';
const LOGGER = 'src/platform/process/logger.ts';
const SHUTDOWN = 'process/shutdown';

/** Configuration, start, stop and log. */
export default [
  {
    mistake: 'an empty variable is a value',
    file: CONFIG,
    text: `value === undefined || value === ''`,
    replacement: 'value === undefined',
    tests: 'unit/config',
    promise: 'treats an empty variable as absent',
  },
  {
    mistake: 'idle connections are closed before those of a proxy',
    file: CONFIG,
    text: '72_000',
    replacement: '5_000',
    tests: 'project/haproxy',
    promise: 'closes idle connections before the service does',
  },
  {
    mistake: 'one port too many is allowed',
    file: CONFIG,
    text: 'integer(0, 65_535)',
    replacement: 'integer(0, 65_536)',
    tests: 'unit/config',
    promise: 'rejects PORT=65536',
  },
  {
    mistake: 'standbys of an SQLite file are ignored',
    file: CONFIG,
    text: 'config.databaseReadUrls.length > 0 && !isPostgresAddress(config.databaseUrl)',
    replacement: 'false',
    tests: 'unit/config',
    promise: 'rejects DATABASE_READ_URL=postgres://localhost/pets',
  },
  {
    mistake: 'a "#" in a password is accepted',
    file: VALUES,
    text: `hash === '' && `,
    replacement: '',
    tests: 'unit/config',
    promise: 'never repeats the secrets of DATABASE_URL: postgres://pets:12#correct-horse@database.example/pets',
  },
  {
    mistake: 'an origin may have a path',
    file: VALUES,
    text: ' || new URL(origin).origin !== origin',
    replacement: '',
    tests: 'unit/config',
    promise: 'rejects CORS_ORIGINS=https://a.example,https://b.example/',
  },
  {
    mistake: 'the printed address of an IPv6 host does not work',
    file: 'src/main.ts',
    text: `host.includes(':')`,
    replacement: `host.includes('%')`,
    tests: 'process/first-start',
    promise: 'prints a working curl command when HOST is ::1',
  },
  {
    mistake: 'a port in use is not explained',
    file: 'src/platform/process/run-command.ts',
    text: `'EADDRINUSE'`,
    replacement: `'EADDRNOTAVAIL'`,
    tests: 'process/start-failures',
    promise: 'prevents the start and leaves the database unchanged when the port is in use',
  },
  {
    mistake: 'requests are rejected during the grace period',
    file: 'src/platform/http/contract-adapter.ts',
    text: 'if (this.#server.isClosing) {',
    replacement: 'if (this.#server.isDraining) {',
    tests: SHUTDOWN,
    promise: 'keeps serving during the grace period, and closes each connection after its next response',
  },
  {
    mistake: 'connections without a request delay a stop',
    file: SERVER,
    text: 'this.#destroyWhere((socket) => socket.bytesRead === 0);',
    replacement: '',
    tests: SHUTDOWN,
    promise: 'is not delayed by connections that have sent nothing',
  },
  {
    mistake: 'a connection stays open after a response while the service stops',
    file: 'src/platform/http/server/edge-messages.ts',
    text: `if (isDraining()) this.setHeader('Connection', 'close');`,
    replacement: '',
    tests: SHUTDOWN,
    promise: 'keeps serving during the grace period, and closes each connection after its next response',
  },
  {
    mistake: 'a response that is read slowly is cut off',
    file: 'src/platform/http/server/flush-before-closing.ts',
    text: 'this.destroySoon();',
    replacement: 'this.destroy();',
    tests: SHUTDOWN,
    promise: 'sends a response completely, however slowly it is read',
  },
  {
    mistake: 'a second signal is ignored',
    file: 'src/platform/http/server/shutdown-deadline.ts',
    text: `server.abort('a second signal');
      exitAfter(0);`,
    replacement: '',
    tests: SHUTDOWN,
    promise: 'ends at once on a second signal after the grace period',
  },
  {
    mistake: "Nest's start-up messages are in every log",
    file: LOGGER,
    text: `? 'debug' : 'info'`,
    replacement: `? 'info' : 'info'`,
    tests: 'process/log.e2e',
    promise: "contains what a feature logs, but not Nest's start-up messages",
  },
  {
    mistake: 'members of an error, such as its request, are logged',
    file: LOGGER,
    text: 'return { type: name, message,',
    replacement: 'return { ...error, type: name, message,',
    tests: 'process/errors-leak',
    promise: 'never contains a key',
  },
  {
    mistake: 'a lasting outage is reported every second',
    file: OUTAGE,
    text: 'outage.reportedAt = now;',
    replacement: '',
    tests: 'unit/outage-log',
    promise: 'is logged once a minute while it lasts',
  },
  {
    mistake: 'the timer of an outage stays',
    file: OUTAGE,
    text: 'clearInterval(this.#timer);',
    replacement: '',
    tests: 'unit/outage-log',
    promise: 'leaves no timer behind',
  },
  {
    mistake: 'a full disk ends the process',
    file: DESTINATION,
    text: `      // The disk is full, the reader has stopped or is gone.
      return 0;`,
    replacement: `      throw new Error('The log cannot be written.');`,
    tests: 'process/unwritable-log',
    promise: 'does not affect requests or the stop: a full disk',
  },
  {
    mistake: 'the number of dropped lines is reset before it is reported',
    file: DESTINATION,
    text: `    const count = this.#dropped;
    this.#dropped = 0;`,
    replacement: `    this.#dropped = 0;
    const count = this.#dropped;`,
    tests: 'process/unwritable-log',
    promise: 'loses whole lines only, and reports their number once it can be written again',
  },
  {
    mistake: 'the message of an unexpected error reaches the caller',
    file: 'src/platform/http/error.filter.ts',
    text: 'error instanceof HttpException && error.getStatus() !== 500',
    replacement: 'error instanceof HttpException',
    tests: 'platform/nest/nest-idioms',
    promise: 'responds when it is called with an exception of status 500',
  },
];
