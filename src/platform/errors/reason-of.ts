import { DomainError } from './domain-error.js';

/**
 * Code and message of an expected error, without its stack. A DomainError is meant for callers: its cause is used
 * instead. Any other error is used itself, because it says more than its cause: a connection timed out, for example, where the cause is only that it was ended.
 */
export function reasonOf(error: unknown): string {
  // JavaScript lets code throw anything.
  if (typeof error !== 'object' || error === null) return String(error);
  const { code, message } = ((error instanceof DomainError && error.cause) || error) as Partial<NodeJS.ErrnoException>;
  // TypeORM begins a message with the class of the driver's error. When a host has several addresses and all refuse, Node's
  // error has no message.
  return [code, message?.replace(/^\w*Error: /, '')].filter(Boolean).join(': ') || 'unknown';
}
