/** `npm run test:all` repeats random and race tests in full, other runs a tenth as often. */
export function repetitions(inFull: number): number {
  return process.env.TEST_EFFORT === 'full' ? inFull : Math.ceil(inFull / 10);
}
