const WIDTH = 24;
const PLAIN_EVERY = 5_000;

const bar = (share) => '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '·');
const line = (share, text) => `${bar(share)} ${String(Math.round(share * 100)).padStart(3)} %  ${text}`;

/** Progress on standard error: one rewritten line on a terminal, occasional lines elsewhere. */
export function createProgress(stream = process.stderr) {
  let saidAt = 0;
  return {
    /** Prints a permanent line. */
    say(text) {
      stream.write(stream.isTTY ? `\r\x1b[K${text}\n` : `${text}\n`);
    },
    step(done, total, text) {
      if (stream.isTTY) {
        stream.write(`\r\x1b[K${line(done / total, text).slice(0, stream.columns - 1)}`);
      } else if (performance.now() - saidAt > PLAIN_EVERY || done === total) {
        saidAt = performance.now();
        stream.write(`${line(done / total, text)}\n`);
      }
    },
    end() {
      if (stream.isTTY) stream.write('\r\x1b[K');
    },
  };
}
