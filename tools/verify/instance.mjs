/** Milliseconds within which a response is expected. */
const TIMEOUT = 10_000;

/** A running instance, called from outside. */
export class Instance {
  #base;
  #key;

  constructor(url, key) {
    this.#base = url.replace(/\/+$/, '');
    this.#key = key;
  }

  /** `key: null` sends none. Rejects with one sentence when no response arrives. */
  async call(method, path, { key = this.#key, body, type = 'application/json', headers = {} } = {}) {
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
