/**
 * Why the service cannot start, and what to do: one sentence, or one for each fault of the contract, on a line of its own.
 * Printed without a stack.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}
