import { setTimeout as delay } from 'node:timers/promises';
import type { HttpResponse } from './http-response.js';

/** Milliseconds. */
const PAUSE = 20;

/** Repeats a request that is refused because the service is overloaded, as it may be on a busy machine. */
export async function untilServed(send: () => Promise<HttpResponse>): Promise<HttpResponse> {
  for (;;) {
    const response = await send();
    if (response.status !== 503 || !response.text.includes('overloaded')) return response;
    await delay(PAUSE);
  }
}
