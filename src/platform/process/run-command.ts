import { Logger } from '@nestjs/common';
import { constants } from 'node:os';
import { DomainError } from '../errors/domain-error.js';
import { reasonOf } from '../errors/reason-of.js';
import { remedyOf } from '../errors/remedy-of.js';
import { asksForHelp } from './command-line.js';
import { createLogger } from './logger.js';
import { printAnswer } from './standard-output.js';
import { StartError } from './start-error.js';

export const STOP_SIGNALS: NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];

/** As a shell reports a process that a signal has ended. */
const exit = (signal: NodeJS.Signals): never => process.exit(128 + constants.signals[signal]);

/** For a service that has started, and stops in its own way. */
export function leaveSignals(): void {
  for (const signal of STOP_SIGNALS) process.off(signal, exit);
}

/**
 * Runs a command of this package, or prints its help. Reports an expected error by its message, any other with its stack;
 * exits with 1.
 */
export async function runCommand(help: string, command: () => Promise<void>): Promise<void> {
  // The first process of a container ignores a signal that it does not handle.
  for (const signal of STOP_SIGNALS) process.on(signal, exit);
  // Its reader may be gone, which changes nothing about what the command has done.
  process.stderr.on('error', () => undefined);
  // Nest's own logger would write to standard output, which is for the result.
  Logger.overrideLogger(createLogger('info'));
  // Node would end the process with 0, as if the command had done its work.
  process.on('beforeExit', refuseToWait);
  try {
    if (asksForHelp(process.argv.slice(2))) await printAnswer(help);
    else await command();
    process.off('beforeExit', refuseToWait);
  } catch (error) {
    process.stderr.write(`${explain(error as NodeJS.ErrnoException)}\n`);
    process.exit(1);
  }
}

function refuseToWait(): never {
  process.stderr.write(
    'A promise never settles, for which the command waits; look in the hooks and factories of modules.\n',
  );
  process.exit(1);
}

function explain(error: NodeJS.ErrnoException & { address?: string; hostname?: string; port?: number }): string {
  if (error instanceof StartError) return error.message;
  // A command has no log that would have the reason.
  if (error instanceof DomainError && error.cause !== undefined) {
    const { message, cause } = error;
    return `${message.replace('try again', remedyOf(cause) ?? '$&').replace(/\.$/, '')} (${reasonOf(error)}).`;
  }
  if (error instanceof DomainError) return error.message;
  if (error.code === 'EADDRINUSE')
    return `Port ${error.port} is in use; stop the process that listens on it or set another PORT.`;
  if (error.code === 'EACCES' && error.syscall === 'listen')
    return `Port ${error.port} requires privileges; set PORT above 1023.`;
  if (error.code === 'EMFILE' || error.code === 'ENFILE')
    return `No more files can be opened (${error.code}); allow more open files (ulimit -n).`;
  if (error.syscall === 'listen' || error.syscall === 'getaddrinfo')
    return `Cannot listen on HOST ${error.hostname ?? error.address ?? ''}; set HOST to an address of this machine.`;
  return error.stack ?? String(error);
}
