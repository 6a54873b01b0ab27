import { afterEach } from '@jest/globals';
import { Client } from '../../../support/http/client.js';
import type { StartedApp } from '../../../support/start-app.js';

const opened: { close: () => Promise<void> | void }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

/** Closes a service after the test. */
export async function closing(starting: Promise<StartedApp>): Promise<StartedApp> {
  const started = await starting;
  opened.push(started);
  return started;
}

/** A client that checks nothing: that of the service would see headers that the contract does not declare. */
export function uncheckedClient({ port, key }: StartedApp, other = key): Client {
  const client = new Client({ port, key: other, check: () => {} });
  opened.push(client);
  return client;
}
