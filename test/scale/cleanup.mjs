/** What is to be undone when an item ends, be it by an error or a signal: the last first. */
export class Cleanup {
  #tasks = [];
  #done;

  add(task) {
    this.#tasks.push(task);
  }

  /** Every task is tried; rejects with the first error. Whoever asks again waits for the same. */
  run() {
    return (this.#done ??= this.#run());
  }

  async #run() {
    const errors = [];
    for (const task of this.#tasks.toReversed()) {
      try {
        await task();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
