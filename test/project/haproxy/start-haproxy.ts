import { afterAll, describe } from '@jest/globals';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

export interface Proxy {
  /** What it has written to its log. */
  readonly log: string;
  isUp(replica: string): Promise<boolean>;
  stop(): Promise<void>;
}

export interface StartedProxy {
  readonly proxy: Proxy;
  readonly port: number;
}

const load = async <Module>(file: string) =>
  (await import(new URL(`../../scale/${file}`, import.meta.url).href)) as Module;
export const { HAPROXY } = await load<{ HAPROXY: string }>('cluster/debian.mjs');
const { Haproxy } = await load<{ Haproxy: new (options: object) => Proxy }>('haproxy.mjs');
const { freePort } = await load<{ freePort: () => Promise<number> }>('free-port.mjs');

export const describeWithHaproxy = existsSync(HAPROXY) || process.env.CI ? describe : describe.skip;

const started = new Set<Proxy>();

afterAll(async () => {
  await Promise.all([...started].map((proxy) => proxy.stop()));
});

/** HAProxy in front of one replica, which it has found; by default with the configuration in `deploy`. */
export async function startHaproxy(replica: number, configuration?: string): Promise<StartedProxy> {
  const port = await freePort();
  const proxy = new Haproxy({ port, a: replica, b: replica, configuration });
  started.add(proxy);
  while (!(await proxy.isUp('a')) || !(await proxy.isUp('b'))) await delay(50);
  return { proxy, port };
}
