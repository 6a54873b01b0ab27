/** Why the service cannot start, in one sentence that says what to do. Printed without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
