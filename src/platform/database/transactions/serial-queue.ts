import { DatabaseUnavailable } from '../tables/database-unavailable.js';

/** Work that runs one after another, in order of arrival. */
export class SerialQueue {
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];

  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Synchronous when nothing waits and `work` is. */
  run<Result>(work: () => Result | Promise<Result>): Result | Promise<Result> {
    return this.#isTaken ? this.#wait().then(() => this.#take(work)) : this.#take(work);
  }

  /** Like `run`, but rejects with DatabaseUnavailable when its turn does not come within `milliseconds`; 0 for no limit. */
  runWithin<Result>(milliseconds: number, work: () => Promise<Result>): Promise<Result> {
    const take = () => this.#take(work) as Promise<Result>;
    return this.#isTaken ? this.#wait(milliseconds).then(take) : take();
  }

  #take<Result>(work: () => Result | Promise<Result>): Result | Promise<Result> {
    this.#isTaken = true;
    let result: Result | Promise<Result>;
    try {
      result = work();
    } catch (error) {
      this.#next();
      throw error;
    }
    const next = (): void => this.#next();
    if (result instanceof Promise) result.then(next, next);
    else next();
    return result;
  }

  /** Keeps the turn taken when another one waits, so that nothing can come in between. */
  #next(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isTaken = false;
  }

  #wait(milliseconds = 0): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.push(start);
      if (milliseconds === 0) return;
      timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(new DatabaseUnavailable(new Error(`Other transactions took more than ${milliseconds} ms`)));
      }, milliseconds);
    });
  }
}
