import { currentTurn, workWhileReading } from '../../process/end-of-turn.js';

/**
 * Requests that start in a turn before its work is done, although Node has more to read. With thousands of connections there
 * is always more, and requests that stay in memory meanwhile survive garbage collections, which then take much of the time.
 */
const MAX_REQUESTS = 512;

/** Maximum milliseconds for which Node reads on after such work: until it has read everything, no timer fires. */
const MAX_READING = 250;

/** Milliseconds after a new connection without such work: Node accepts one each time it reads, and others probably wait. */
const OPENING = 100;

/** Lets requests be served while Node has more to read. */
export class LongReadings {
  #openedAt = -OPENING;
  #turn = 0;
  /** Requests that have started in this turn. */
  #requests = 0;
  /** Until when work may be done; 0 until that has happened since Node began to read. */
  #until = 0;

  addConnection(): void {
    this.#openedAt = performance.now();
  }

  /** Call for each request that starts as it arrives. `now` is `performance.now()`. */
  addRequest(now: number): void {
    const turn = currentTurn();
    this.#requests = turn === this.#turn ? this.#requests + 1 : 1;
    this.#turn = turn;
    if (this.#requests < MAX_REQUESTS || now - this.#openedAt < OPENING) return;
    if (this.#until === 0) {
      this.#until = now + MAX_READING;
      // When Node has read everything.
      setImmediate(() => {
        this.#until = 0;
      });
    }
    if (now < this.#until) workWhileReading();
  }
}
