import { Logger } from '@nestjs/common';
import { STOP_SIGNALS } from '../../process/run-command.js';
import type { EdgeTimeouts } from './edge-server.js';

interface Stoppable {
  /** Begins to stop. */
  drain(): void;
  /** Ends the pending requests at once. */
  abort(reason: string): void;
}

const logger = new Logger('Stop');

/** Milliseconds for the database to close after the deadline of the requests. */
const DATABASE_CLOSING_TIME = 500;

/** Milliseconds within which signals count as one: npm forwards a signal that the terminal has sent to both processes. */
const SAME_SIGNAL_TIME = 100;

/**
 * Stops the server on a signal, while the modules stop. Nest exits the process when everything is closed. This exits it when
 * that takes too long, or on a second signal.
 */
export function stopOnSignals({ shutdownGrace, shutdownTimeout }: EdgeTimeouts, server: Stoppable): void {
  let firstSignalAt: number | undefined;
  const stop = (): void => {
    const now = performance.now();
    if (firstSignalAt === undefined) {
      firstSignalAt = now;
      server.drain();
      exitAfter(shutdownGrace + shutdownTimeout, () =>
        logger.error('The service exits before it has stopped: a module or the database takes too long.'),
      );
    } else if (now - firstSignalAt > SAME_SIGNAL_TIME) {
      server.abort('a second signal');
      exitAfter(0);
    }
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
}

function exitAfter(time: number, report = (): void => {}): void {
  const exit = (): never => {
    report();
    process.exit(1);
  };
  setTimeout(exit, time + DATABASE_CLOSING_TIME).unref();
}
