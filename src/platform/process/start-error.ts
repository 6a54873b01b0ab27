/** A reason not to start, in one sentence that says what to do. Shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
