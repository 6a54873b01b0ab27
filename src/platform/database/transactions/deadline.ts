interface Deadline {
  /** As `performance.now()`. */
  readonly at: number;
  readonly expire: () => void;
}

const pending = new Set<Deadline>();
let timer: NodeJS.Timeout | undefined;
/** When the timer fires, as `performance.now()`. */
let firesAt = Infinity;

/**
 * Calls `expire` after so many milliseconds, unless the returned function is called before. All deadlines share a timer
 * that keeps running when they are met: to start and clear one for each costs a transaction a twentieth of its time.
 */
export function startDeadline(milliseconds: number, expire: () => void): () => void {
  const deadline = { at: performance.now() + milliseconds, expire };
  pending.add(deadline);
  if (deadline.at < firesAt) fireAt(deadline.at);
  return () => pending.delete(deadline);
}

function fireAt(time: number): void {
  clearTimeout(timer);
  firesAt = time;
  timer = setTimeout(expireAll, time - performance.now()).unref();
}

function expireAll(): void {
  firesAt = Infinity;
  const now = performance.now();
  for (const deadline of pending) {
    if (deadline.at > now) continue;
    pending.delete(deadline);
    deadline.expire();
  }
  const next = Math.min(...Array.from(pending, ({ at }) => at));
  if (next < firesAt) fireAt(next);
}
