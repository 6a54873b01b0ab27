import type { EdgeTimeouts } from './edge-server.js';

interface Abortable {
  /** Ends the pending requests at once. */
  abort(reason: string): void;
}

export const STOP_SIGNALS: NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];

/** Milliseconds for the database to close after the deadline of the requests. */
const DATABASE_CLOSING_TIME = 500;

/** Milliseconds within which signals count as one: npm forwards a signal that the terminal has sent to both processes. */
const SAME_SIGNAL_TIME = 100;

/** Nest exits the process when everything is closed. This exits it when that takes too long, or on a second signal. */
export function enforceShutdownDeadline({ shutdownGrace, shutdownTimeout }: EdgeTimeouts, server: Abortable): void {
  let firstSignalAt: number | undefined;
  const stop = (): void => {
    const now = performance.now();
    if (firstSignalAt === undefined) {
      firstSignalAt = now;
      exitAfter(shutdownGrace + shutdownTimeout);
    } else if (now - firstSignalAt > SAME_SIGNAL_TIME) {
      server.abort('a second signal');
      exitAfter(0);
    }
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
}

function exitAfter(time: number): void {
  setTimeout(() => process.exit(1), time + DATABASE_CLOSING_TIME).unref();
}
