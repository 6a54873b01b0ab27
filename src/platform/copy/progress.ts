import type { WriteStream } from 'node:tty';

/** Characters. */
const WIDTH = 24;
/** Milliseconds between two lines of a log, and between two updates of the line on a terminal. */
const PLAIN_EVERY = 5_000;
const BAR_EVERY = 100;

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export const formatNumber = (count: number): string => number.format(count);

/** Reports progress on standard error: one line that is rewritten on a terminal, a line every few seconds elsewhere. */
export class Progress {
  readonly #start = performance.now();
  #shownAt = performance.now();

  /** `done` of `total` units exist already. */
  constructor(
    private readonly what: string,
    private readonly total: number,
    private readonly done = 0,
    private readonly unit = 'rows',
    private readonly stream: Pick<WriteStream, 'write' | 'isTTY' | 'columns'> = process.stderr,
  ) {}

  step(done: number): void {
    const now = performance.now();
    if (now - this.#shownAt < (this.stream.isTTY ? BAR_EVERY : PLAIN_EVERY)) return;
    this.#shownAt = now;
    if (this.stream.isTTY) this.stream.write(`\r\x1b[K${this.#line(done, true).slice(0, this.stream.columns - 1)}`);
    else this.stream.write(`${this.#line(done, false)}\n`);
  }

  end(done: number): void {
    this.stream.write(`${this.stream.isTTY ? '\r\x1b[K' : ''}${this.#line(done, this.stream.isTTY)}\n`);
  }

  /** Instead of `end`, where a result follows that says more. */
  clear(): void {
    if (this.stream.isTTY) this.stream.write('\r\x1b[K');
  }

  #line(done: number, withBar: boolean): string {
    const total = Math.max(this.total, done);
    const share = total === 0 ? 1 : done / total;
    const seconds = (performance.now() - this.#start) / 1000;
    const rate = seconds === 0 ? 0 : (done - this.done) / seconds;
    const bar = withBar ? ['█'.repeat(Math.floor(share * WIDTH)).padEnd(WIDTH, '·')] : [];
    const time =
      done < total && rate > 0 ? `${formatNumber((total - done) / rate)} s left` : `${formatNumber(seconds)} s`;
    const count = `${formatNumber(done)} of ${formatNumber(total)}`;
    const speed = `${formatNumber(rate)} ${this.unit}/s`;
    return [this.what, ...bar, `${Math.floor(share * 100)} %`, count, speed, time].join('  ');
  }
}
