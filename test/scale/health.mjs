import { setTimeout as delay } from 'node:timers/promises';
import { send } from './cluster/service/send.mjs';

/** Milliseconds between two checks. */
const INTERVAL = 50;

/** Polls liveness and readiness, as an orchestrator does. */
export class Health {
  live = [];
  ready = [];
  #end = new AbortController();
  #watches;

  constructor({ port }) {
    const watch = async (path, samples) => {
      for (; !this.#end.signal.aborted; await delay(INTERVAL)) samples.push(await send({ port }, 'GET', path));
    };
    this.#watches = [watch('/live', this.live), watch('/ready', this.ready)];
  }

  async stop() {
    this.#end.abort();
    await Promise.all(this.#watches);
  }
}
