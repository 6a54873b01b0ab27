import type { Config } from './config.js';
import type { ContractAdapter } from './http/contract-adapter.js';

export const STOP_SIGNALS: NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];

/** Milliseconds that the database gets to close when the time of the requests is over. */
const CLOSING = 500;

/** Nest ends the process when all is closed. This ends it when that takes too long, or when it is told a second time. */
export function stopInTime({ shutdownGrace, shutdownTimeout }: Config, adapter: ContractAdapter): void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) adapter.cut('a second signal');
    const time = isStopping ? 0 : shutdownGrace + shutdownTimeout;
    setTimeout(() => process.exit(1), time + CLOSING).unref();
    isStopping = true;
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
}
