import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { send } from './cluster/service/send.mjs';

/** Clients with a persistent connection, and clients with a new connection per request. */
const KEEPING = 12;
const CONNECTING = 4;
/** Milliseconds between a response and the next request, so that the machine is busy but not overloaded. */
const PAUSE = 5;

/** Lists, gets and creates pets until it is stopped, and records every outcome. */
export class Load {
  outcomes = [];
  #end = new AbortController();
  #clients;

  constructor(target, { keeping = KEEPING, connecting = CONNECTING } = {}) {
    const agents = Array.from({ length: keeping }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    this.#clients = [...agents, ...Array.from({ length: connecting }, () => false)].map((agent) =>
      this.#call({ ...target, agent }),
    );
  }

  async stop() {
    this.#end.abort();
    await Promise.all(this.#clients);
  }

  async #call(target) {
    const client = randomBytes(4).toString('hex');
    let id;
    for (let count = 0; !this.#end.signal.aborted; count += 1) {
      const outcome = await this.#next(target, count, `pet ${client}-${count}`, id);
      if (outcome.status === 201) id = outcome.id;
      this.outcomes.push(outcome);
      await delay(PAUSE);
    }
    if (target.agent) target.agent.destroy();
  }

  #next(target, count, name, id) {
    const turn = count % 4;
    if (turn === 1) return send(target, 'GET', '/v1/pets');
    if (turn === 2) return send(target, 'GET', '/v1/pets?status=available&limit=100');
    if (turn === 3 && id !== undefined) return send(target, 'GET', `/v1/pets/${id}`);
    return send(target, 'POST', '/v1/pets', { name, categoryId: count, status: 'available' });
  }
}
