import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { startApp, type StartedApp } from '../support/start-app.js';

/** Debian's package `chromium`; elsewhere, say where yours is. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** CI installs it, so that a missing browser is a failure there; on a machine without one these tests are skipped. */
const describeInBrowser = existsSync(CHROMIUM) || process.env.CI ? describe : describe.skip;

describeInBrowser('Swagger UI in a browser', () => {
  let service: StartedApp;
  let browser: Browser;
  let page: Page;
  const requested: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    service = await startApp();
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      // The first one: Chromium's sandbox does not work for root, as which CI often runs.
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
    });
    page = await browser.newPage();
    page.on('request', (request) => requested.push(request.url()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(`${service.baseUrl}/docs`);
    await page.waitForSelector('.opblock');
  });

  afterAll(async () => {
    await browser?.close();
  });

  /** Opens an operation, presses "Try it out" and "Execute", and waits for the status that the service answered. */
  async function tryOut(operationId: string): Promise<string | null> {
    const block = page.locator(`#operations-pets-${operationId}`);
    if (!(await block.getAttribute('class'))?.includes('is-open'))
      await block.locator('.opblock-summary-control').click();
    await block.getByRole('button', { name: 'Try it out' }).click();
    await block.getByRole('button', { name: 'Execute' }).click();
    return block.locator('.live-responses-table tr.response .response-col_status').first().textContent();
  }

  it('shows the operations of the contract', async () => {
    const summaries = await page.locator('.opblock').allTextContents();
    expect(summaries).toHaveLength(3);
    expect(summaries.map((text) => /^(GET|POST)\/pets(\/\u200b?\{petId\})?/.test(text))).toEqual([true, true, true]);
  });

  it('shows getPet, and nothing else, as deprecated', async () => {
    const deprecated = page.locator('.opblock-deprecated');
    expect(await deprecated.count()).toBe(1);
    expect(await deprecated.getAttribute('id')).toBe('operations-pets-getPet');
  });

  it('refuses to try out without a key', async () => {
    expect(await tryOut('listPets')).toContain('401');
  });

  it('keeps the key of "Authorize" when the page is loaded again', async () => {
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.locator('.modal-ux input').fill(service.key);
    await page.locator('.modal-ux').getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).first().click();
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

  it('shows an int64 to the last digit', async () => {
    const block = page.locator('#operations-pets-createPet');
    await block.locator('textarea').fill('{"name": "Tom, \\"the: {cat}\\"", "categoryId": 9223372036854775807}');
    await block.getByRole('button', { name: 'Execute' }).click();
    const body = block.locator('tr.response .highlight-code pre', { hasText: '"id": 2' });
    await expect(body.textContent()).resolves.toBe(
      '{\n  "id": 2,\n  "name": "Tom, \\"the: {cat}\\"",\n  "categoryId": 9223372036854775807\n}',
    );
  });

  it("asks no host but the page's own", () => {
    expect(requested.length).toBeGreaterThan(5);
    const foreign = requested.filter((url) => !url.startsWith('data:') && !url.startsWith(`${service.baseUrl}/`));
    expect(foreign).toEqual([]);
  });

  it('breaks no rule of its content security policy', () => {
    const unexpected = complaints.filter((text) => !text.includes('401 (Unauthorized)'));
    expect(unexpected).toEqual([]);
  });
});
