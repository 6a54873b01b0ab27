/** Tasks to run when an item ends, also after an error or a signal; the last one first. */
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
