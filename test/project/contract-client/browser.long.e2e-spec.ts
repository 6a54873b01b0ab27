import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import type * as Store from '../../../client/src/client.js';
import { describeInBrowser, startBrowser } from '../../support/browser.js';
import { startApp } from '../../support/start-app.js';

/** Milliseconds: a browser on a busy machine is slow. */
jest.setTimeout(300_000);

const CLIENT = fileURLToPath(new URL('../../../client/src/client.ts', import.meta.url));

/** What the bundle of the client defines in the page. */
declare const store: typeof Store;

describeInBrowser('the typed client in a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
  });

  it('sends and reads every digit of a 64-bit integer', async () => {
    const { baseUrl, key, api } = await startApp();
    const options = { bundle: true, write: false, format: 'iife', globalName: 'store', platform: 'browser' } as const;
    const { outputFiles } = await build({ ...options, entryPoints: [CLIENT] });
    const page = await browser.newPage({ bypassCSP: true });
    page.setDefaultTimeout(0);
    // A page of the same origin.
    await page.goto(`${baseUrl}/openapi.json`);
    await page.addScriptTag({ content: outputFiles[0]!.text });
    const read = await page.evaluate(async (secret) => {
      const client = store.createClient({ baseUrl: '/v1', key: secret });
      const added = await client.createPet({ body: { name: 'Rex', categoryId: 9007199254740993n } });
      if (added.status !== 201) throw new Error(added.body.message);
      const found = await client.getPet({ path: { petId: added.body.id } });
      if (!found.ok) throw new Error(found.body.message);
      return [added.status, added.headers.get('Location'), typeof found.body.id, String(found.body.categoryId)];
    }, key);
    expect(read).toStrictEqual([201, '/v1/pets/1', 'bigint', '9007199254740993']);
    expect((await api.get('/v1/pets/1')).text).toBe('{"id":1,"name":"Rex","categoryId":9007199254740993}');
  });
});
