/** Code and message of an expected error for the log, without its stack; those of the error behind it, if there is one. */
export function reasonOf(error: unknown): string {
  const { code, message } = ((error as Error).cause ?? error) as Partial<NodeJS.ErrnoException>;
  // When a host has several addresses and all refuse, Node's error has no message.
  return [code, message].filter(Boolean).join(': ') || 'unknown';
}
