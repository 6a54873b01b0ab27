/** Tasks to run in reverse order when an item ends, even after an error or a signal. */
export class Cleanup {
  #tasks = [];
  #done;

  add(task) {
    this.#tasks.push(task);
  }

  /** Tries every task; rejects with the first error. A second call waits for the same run. */
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
