import { reasonOf } from '../errors/reason-of.js';

/** Milliseconds after which a start says that it still waits, and after which it says so again. */
const PERIOD = 10_000;

/**
 * Starts the modules, and warns while that takes long: a process that neither serves nor says why looks as if it had
 * stopped. Settles as the start does. The start calls `fails` before it stops its modules, which may take long as well.
 */
export async function watchStart<Started>(
  start: (fails: (error: unknown) => void) => Promise<Started>,
  warn: (sentence: string) => void,
): Promise<Started> {
  let sentence = notStarted;
  let seconds = 0;
  const watch = () =>
    setInterval(() => {
      seconds += PERIOD / 1000;
      warn(sentence(seconds));
    }, PERIOD)
      // When nothing else can happen any more, the process must end and say so.
      .unref();
  let timer = watch();
  const fails = (error: unknown): void => {
    clearInterval(timer);
    seconds = 0;
    // Printed only when the modules have stopped.
    const reason = reasonOf(error).replace(/\.$/, '');
    sentence = (waited) =>
      `The start has failed (${reason}), but its modules have not stopped within ${waited} s; look for a hook (onModuleDestroy, beforeApplicationShutdown, onApplicationShutdown) whose promise has yet to settle.`;
    timer = watch();
  };
  try {
    return await start(fails);
  } finally {
    clearInterval(timer);
  }
}

function notStarted(seconds: number): string {
  return `The modules have not started within ${seconds} s; look for a factory of a provider, or a hook (onModuleInit, onApplicationBootstrap), whose promise has yet to settle.`;
}
