/** Milliseconds after which a start says that it still waits, and after which it says so again. */
const PERIOD = 10_000;

/**
 * Starts the modules, and warns while that takes long: a process that neither serves nor says why looks as if it had
 * stopped. Settles as the start does.
 */
export async function watchStart<Started>(
  start: () => Promise<Started>,
  warn: (sentence: string) => void,
): Promise<Started> {
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += PERIOD / 1000;
    warn(
      `The modules have not started within ${seconds} s; look for a factory of a provider, or a hook (onModuleInit, onApplicationBootstrap), whose promise has yet to settle.`,
    );
  }, PERIOD);
  // When nothing else can happen any more, the process must end and say so.
  timer.unref();
  try {
    return await start();
  } finally {
    clearInterval(timer);
  }
}
