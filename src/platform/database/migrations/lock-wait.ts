/** Milliseconds of waiting before it is reported, and between two reports. */
const FIRST = 5_000;
const INTERVAL = 60_000;

export const OTHER_MIGRATES = 'Waiting for another process that migrates the database; end it if it hangs.';

/** Called with a sentence that says what a migration waits for: after five seconds, and then each minute. */
export type ReportWait = (sentence: string) => void;

/** One wait for what others hold. */
export class LockWait {
  #nextAt = performance.now() + FIRST;

  constructor(private readonly report: ReportWait = () => undefined) {}

  /** Call before each further attempt. */
  reportIfDue(sentence: string): void {
    const now = performance.now();
    if (now < this.#nextAt) return;
    this.#nextAt = now + INTERVAL;
    this.report(sentence);
  }
}
