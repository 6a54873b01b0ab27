import type { LoggerService } from '@nestjs/common';
import { isatty } from 'node:tty';
import { pino, type Logger } from 'pino';
import { LogDestination } from './log-destination.js';
import { readableLine, safeLine } from './log-line.js';
import type { LogLevel } from './log-level.js';
import { StartError } from './start-error.js';

const STANDARD_ERROR = 2;

/** One for the process: its destination writes what is left when the process exits. */
let root: Logger | undefined;
let destination: LogDestination | undefined;

/**
 * Writes lines to standard error, JSON unless a person reads them: standard output is for the greeting. `isReported`: whether an
 * error stops a start, which says why in its own words.
 */
export function createLogger(level: LogLevel, isReported = (_error: unknown): boolean => false): LoggerService {
  root ??= createRoot();
  return new PinoLogger(root.child({}, { level }), isReported);
}

/** Lines of the log that were dropped since the start. */
export function droppedLines(): number {
  return destination?.droppedInTotal ?? 0;
}

function createRoot(): Logger {
  const written = new LogDestination(STANDARD_ERROR, (count) =>
    logger.warn({ context: 'Log', count }, 'Lines were dropped, because the log could not be written.'),
  );
  const format = isatty(STANDARD_ERROR) ? readableLine : safeLine;
  const lines = { write: (line: string) => written.write(format(line)), flushSync: () => written.flushSync() };
  destination = written;
  const logger = pino({ serializers: { err: describe } }, lines);
  return logger;
}

/** Only what a developer needs: other members, such as a request, could reveal an API key. */
function describe(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return { message: String(error) };
  if (!('stack' in error)) return { message: messageIn(error) };
  const { name, message, stack, code, cause } = error as Error & { code?: unknown };
  return { type: name, message, stack, code, ...(cause !== undefined && { cause: describe(cause) }) };
}

/** Of a thrown object that is no Error. */
function messageIn(thrown: object): string {
  return 'message' in thrown && typeof thrown.message === 'string' ? thrown.message : 'an object without a message';
}

/** Nest's start-up contexts, logged at debug level. */
const START_UP_CONTEXTS = new Set<unknown>([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Nest passes the context as the last parameter. */
class PinoLogger implements LoggerService {
  constructor(
    private readonly lines: Logger,
    private readonly isReported: (error: unknown) => boolean,
  ) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.#write(START_UP_CONTEXTS.has(rest.at(-1)) ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    // `runCommand` prints its message.
    if (message instanceof StartError || this.isReported(message)) return;
    this.#write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.#write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.#write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.#write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.#write('fatal', message, rest);
  }

  #write(level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace', message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    const details = rest.slice(0, -1).find((item) => typeof item === 'string');
    if (typeof message === 'object' && message !== null) {
      this.lines[level]({ context, ...('stack' in message ? { err: message } : message) }, details as string);
    } else {
      this.lines[level]({ context, details }, String(message));
    }
  }
}
