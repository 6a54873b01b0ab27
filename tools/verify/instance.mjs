import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds within which a response is expected. */
const TIMEOUT = 10_000;
/** Seconds in `Retry-After` beyond which a 429 is the result. */
const LONGEST_WAIT = 60;
/** Repetitions of a request that gets 429: another caller may use the same key. */
const REPETITIONS = 10;

/** A running instance, called from outside. */
export class Instance {
  #base;
  #key;

  constructor(url, key) {
    this.#base = url.replace(/\/+$/, '');
    this.#key = key;
  }

  /** `key: null` sends none. Waits where the instance limits requests. Rejects with one sentence when no response arrives. */
  async call(method, path, options) {
    for (let left = REPETITIONS; ; left -= 1) {
      const response = await this.#send(method, path, options);
      const seconds = Number(response.headers.get('retry-after') ?? Infinity);
      if (response.status !== 429 || !(seconds <= LONGEST_WAIT) || left === 0) return response;
      await delay(seconds * 1000);
    }
  }

  async #send(method, path, { key = this.#key, body, type = 'application/json', headers = {} } = {}) {
    const sent = new Headers(headers);
    if (key !== null) sent.set('Authorization', `Bearer ${key}`);
    if (body !== undefined) sent.set('Content-Type', type);
    const options = { method, headers: sent, body, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) };
    const response = await fetch(`${this.#base}${path}`, options).catch((error) => {
      throw new Error(`${method} ${path} got no response: ${error.cause?.message ?? error.message}`, { cause: error });
    });
    const text = await response.text();
    return { method, path, status: response.status, headers: response.headers, text, json: parsed(text) };
  }

  /** A path below the base address, of a reference in a header such as `/v1/pets/1`. */
  relative(reference) {
    const base = new URL(`${this.#base}/`);
    const { pathname, search } = new URL(reference, base);
    return `/${pathname.slice(base.pathname.length)}${search}`;
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
