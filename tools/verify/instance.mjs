import { setTimeout as delay } from 'node:timers/promises';
import { exactJson } from './exact-json.mjs';

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
  #limits;
  #requestIds = new Set();
  /** An `X-Request-Id` that two responses had; undefined when there is none. */
  repeatedRequestId;

  /** `limits` is called with the seconds of the first wait for a limited instance. */
  constructor(url, key, limits) {
    this.#base = url.replace(/\/+$/, '');
    this.#key = key;
    this.#limits = limits;
  }

  /** `key: null` sends none, as does `type: null`; `authorization` replaces the bearer key. Waits where the instance limits requests. Rejects with one sentence when no response arrives. */
  async call(method, path, options) {
    for (let left = REPETITIONS; ; left -= 1) {
      const response = await this.#send(method, path, options);
      const seconds = Number(response.headers.get('retry-after') ?? Infinity);
      if (response.status !== 429 || !(seconds <= LONGEST_WAIT) || left === 0) return response;
      this.#limits?.(seconds);
      this.#limits = undefined;
      await delay(seconds * 1000);
    }
  }

  async #send(
    method,
    path,
    { key = this.#key, authorization = key && `Bearer ${key}`, body, type = 'application/json', headers = {} } = {},
  ) {
    const sent = new Headers(headers);
    if (authorization) sent.set('Authorization', authorization);
    if (body !== undefined && type !== null) sent.set('Content-Type', type);
    // Fetch gives a text a type of its own.
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const options = { method, headers: sent, body: bytes, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) };
    const response = await fetch(`${this.#base}${path}`, options).catch((error) => {
      throw new Error(`${method} ${path} got no response: ${error.cause?.message ?? error.message}`, { cause: error });
    });
    const text = await response.text();
    const id = response.headers.get('x-request-id');
    // A request that chooses its id sends it again when it waited.
    if (id !== null && id !== sent.get('x-request-id')) {
      if (this.#requestIds.has(id)) this.repeatedRequestId = id;
      this.#requestIds.add(id);
    }
    const { status, headers: received } = response;
    return { method, path, status, headers: received, text, json: parsed(text), exact: exactJson(text) };
  }

  /** A path below the base address, of a reference in a header such as `/v1/pets/1`. Throws if it leads elsewhere. */
  relative(reference) {
    const base = new URL(`${this.#base}/`);
    const { origin, pathname, search } = new URL(reference, base);
    if (origin !== base.origin || !pathname.startsWith(base.pathname)) {
      throw new Error(`${reference} leads to an address that does not begin with ${base}`);
    }
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
