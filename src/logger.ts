import type { LoggerService } from '@nestjs/common';
import { destination, pino, type Logger } from 'pino';
import type { LogLevel } from './config.js';
import { StartError } from './start-error.js';

/** JSON lines on standard error; standard output belongs to what is said to a person. */
export function createLogger(level: LogLevel): LoggerService {
  return new PinoLogger(pino({ level }, destination({ dest: 2, sync: true })));
}

/** Nest's logger: the last text among its parameters is the context. */
class PinoLogger implements LoggerService {
  constructor(private readonly lines: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.#write('debug', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    // Said by whoever runs the command, in its one sentence.
    if (message instanceof StartError) return;
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

  #write(level: 'fatal' | 'error' | 'warn' | 'debug' | 'trace', message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    const details = rest.slice(0, -1).find((item) => typeof item === 'string');
    if (typeof message === 'object' && message !== null) {
      this.lines[level]({ context, ...(message instanceof Error ? { err: message } : message) }, details as string);
    } else {
      this.lines[level]({ context, details }, String(message));
    }
  }
}
