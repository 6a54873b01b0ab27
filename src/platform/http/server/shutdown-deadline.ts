import type { EdgeTimeouts } from './edge-server.js';
import type { ContractAdapter } from '../contract-adapter.js';

export const STOP_SIGNALS: NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];

/** Milliseconds that the database gets to close when the time of the requests is over. */
const CLOSING = 500;

/** Milliseconds within which signals are one: npm passes on what a terminal has sent to both. */
const TOGETHER = 100;

/** Nest ends the process when all is closed. This ends it when that takes too long, or when it is told a second time. */
export function stopInTime({ shutdownGrace, shutdownTimeout }: EdgeTimeouts, adapter: ContractAdapter): void {
  let toldAt: number | undefined;
  const stop = (): void => {
    const now = performance.now();
    if (toldAt === undefined) {
      toldAt = now;
      endAfter(shutdownGrace + shutdownTimeout);
    } else if (now - toldAt > TOGETHER) {
      adapter.cut('a second signal');
      endAfter(0);
    }
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
}

function endAfter(time: number): void {
  setTimeout(() => process.exit(1), time + CLOSING).unref();
}
