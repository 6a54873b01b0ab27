import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { readContract } from '../contract/contract.js';
import { describeInBrowser, startBrowser } from '../support/browser.js';
import { startApp, type StartedApp } from '../support/start-app.js';

/** Milliseconds: a browser on a busy machine is slow. */
jest.setTimeout(300_000);

const { operations } = readContract();

const blockIdOf = ({ tags = ['default'], name }: (typeof operations)[number]) => `operations-${tags[0]}-${name}`;

describeInBrowser('Swagger UI in a browser', () => {
  let service: StartedApp;
  let browser: Browser;
  let page: Page;
  const requested: string[] = [];
  const errors: string[] = [];

  beforeAll(async () => {
    service = await startApp();
    browser = await startBrowser();
    page = await browser.newPage();
    page.setDefaultTimeout(0);
    page.on('request', (request) => requested.push(request.url()));
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(`${service.baseUrl}/docs`);
    await page.waitForSelector('.opblock');
  });

  afterAll(async () => {
    await browser?.close();
  });

  /** By the keyboard: a click waits until the browser has drawn the page twice, which a busy machine can delay for long. */
  const activate = (button: Locator) => button.press('Enter');

  /** Opens an operation, activates "Try it out" and "Execute", and returns the status of the response. */
  async function tryOut(operationId: string): Promise<string | null> {
    const block = page.locator(`#operations-pets-${operationId}`);
    if (!(await block.getAttribute('class'))?.includes('is-open'))
      await activate(block.locator('.opblock-summary-control'));
    await activate(block.getByRole('button', { name: 'Try it out' }));
    await activate(block.getByRole('button', { name: 'Execute' }));
    return block.locator('.live-responses-table tr.response .response-col_status').first().textContent();
  }

  it('shows the operations of the contract', async () => {
    const shown: string[] = await page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id));
    expect(shown.toSorted()).toEqual(operations.map(blockIdOf).toSorted());
    for (const operation of operations) {
      const summary = await page.locator(`#${blockIdOf(operation)} .opblock-summary`).textContent();
      // Swagger UI adds zero-width spaces, at which a browser may break the line.
      expect(summary?.replaceAll('\u200b', '')).toContain(`${operation.method}${operation.path}`);
    }
  });

  it('offers the addresses of the servers, and the one that serves the page first', async () => {
    const servers = page.locator('.servers select');
    const options = await servers.locator('option').evaluateAll((all) => all.map((each) => each.getAttribute('value')));
    expect(options).toEqual([`${service.baseUrl}/v1`, 'https://staging.petstore.test/v1']);
    expect(await servers.inputValue()).toBe(`${service.baseUrl}/v1`);
    expect(await page.locator('.scheme-container').textContent()).not.toMatch(/base_url|[{}]/);
  });

  it('states where to get a key, beside where to enter it', async () => {
    const where = /The operators of the service create one with\s+npm run keys -- create NAME/;
    expect(await page.locator('.info').textContent()).toMatch(where);
    await activate(page.getByRole('button', { name: 'Authorize' }));
    expect(await page.locator('.modal-ux').textContent()).toMatch(where);
    await activate(page.locator('.modal-ux').getByRole('button', { name: 'Close' }).first());
  });

  it('sends requests to the server that is chosen', async () => {
    const staging = 'https://staging.petstore.test';
    // Stands for an environment that allows the origin of the page.
    await page.route(`${staging}/**`, (route) =>
      route.fulfill({ status: 200, json: [], headers: { 'Access-Control-Allow-Origin': service.baseUrl } }),
    );
    await page.locator('.servers select').selectOption(`${staging}/v1`);
    expect(await tryOut('listPets')).toContain('200');
    await page.unroute(`${staging}/**`);
    await page.reload();
    await page.waitForSelector('.opblock');
    // The page is alone with its own host from then on.
    requested.length = 0;
  });

  it('marks exactly the deprecated operations as deprecated', async () => {
    const shown: string[] = await page
      .locator('.opblock-deprecated')
      .evaluateAll((blocks) => blocks.map(({ id }) => id));
    const deprecated = operations.filter((operation) => operation.deprecated);
    expect(shown.toSorted()).toEqual(deprecated.map(blockIdOf).toSorted());
    expect(shown).toContain('operations-pets-getPet');
  });

  it('gets 401 when an operation is tried without a key', async () => {
    expect(await tryOut('listPets')).toContain('401');
  });

  it('keeps the API key when the page is reloaded', async () => {
    await activate(page.getByRole('button', { name: 'Authorize' }));
    await page.locator('.modal-ux input').fill(service.key);
    await activate(page.locator('.modal-ux').getByRole('button', { name: 'Apply credentials' }));
    await activate(page.locator('.modal-ux').getByRole('button', { name: 'Close' }).first());
    await page.reload();
    await page.waitForSelector('.opblock');
    expect(await page.locator('.auth-wrapper .locked').count()).toBe(1);
  });

  it('tries out createPet, listPets and getPet against the running service', async () => {
    expect(await tryOut('createPet')).toContain('201');
    expect(await tryOut('listPets')).toContain('200');
    expect(await tryOut('getPet')).toContain('200');
    const stored = await service.api.get('/v1/pets');
    expect(stored.json).toEqual([{ id: 1, name: 'Rex', categoryId: 7, status: 'available' }]);
  });

  it('shows an int64 exactly', async () => {
    const block = page.locator('#operations-pets-createPet');
    await block.locator('textarea').fill('{"name": "Tom, \\"the: {cat}\\"", "categoryId": 9223372036854775807}');
    await activate(block.getByRole('button', { name: 'Execute' }));
    const body = block.locator('tr.response .highlight-code pre', { hasText: '"id": 2' });
    await expect(body.textContent()).resolves.toBe(
      '{\n  "id": 2,\n  "name": "Tom, \\"the: {cat}\\"",\n  "categoryId": 9223372036854775807\n}',
    );
  });

  it('sends requests only to its own host', () => {
    expect(requested.length).toBeGreaterThan(5);
    const foreign = requested.filter((url) => !url.startsWith('data:') && !url.startsWith(`${service.baseUrl}/`));
    expect(foreign).toEqual([]);
  });

  it('does not violate its content security policy', () => {
    const unexpected = errors.filter((text) => !text.includes('401 (Unauthorized)'));
    expect(unexpected).toEqual([]);
  });
});
