import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readContract } from '../../../src/platform/contract/read-contract.js';
import { StartError } from '../../../src/platform/process/start-error.js';
import { writeJson } from '../../support/contract/exact-json.js';
import { startApp } from '../../support/start-app.js';
import { baseContract } from './base-contract.js';
import type { Probe, Row } from './row.js';
import { SECTIONS } from './sections.js';
import { things, ThingsModule } from './things.module.js';
import { tableOf } from './write-table.js';

const directory = mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'constructs-'));
const PAGE = new URL('../../../docs/contract.md', import.meta.url);
const rows = SECTIONS.flatMap(({ rows: own }) => own);

/** JSON is valid YAML. */
function contractFileOf({ version = '3.0.3', edit }: Row): string {
  const contract = baseContract(version);
  edit(contract);
  const file = join(directory, `${Math.random()}.yaml`);
  writeFileSync(file, writeJson(contract).replaceAll('\u0000', String.raw`\u0000`));
  return file;
}

async function send(
  baseUrl: string,
  key: string,
  probe: Probe,
): Promise<{ status: number; text: string; headers: Headers }> {
  const { method = 'POST', target = '', headers = {}, body, answer = {}, answerHeaders = {} } = probe;
  Object.assign(things, { answer, headers: answerHeaders, seen: undefined });
  const response = await fetch(`${baseUrl}/v1/things${target}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : writeJson(body) }),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

describe('a construct of OpenAPI that is refused', () => {
  const refused = rows.filter(({ isRefused }) => isRefused);

  it.each(refused.map((row) => [row.construct, row] as const))('stops the start: %s', (_, row) => {
    const file = contractFileOf(row);
    let error: unknown;
    try {
      readContract(file);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(StartError);
    const lines = (error as StartError).message.split('\n');
    for (const line of lines) expect(line.replace(file, 'FILE')).toMatch(/^FILE:\d+:\d+ /);
    // A row has its schema in the request and in the response.
    const reasons = lines.map((line) => line.replace(/^\S+ /, '').replace('.responses.201.', '.requestBody.'));
    expect([...new Set(reasons)]).toEqual([`${row.note}.`]);
  });
});

describe('a construct of OpenAPI that is honoured', () => {
  const honoured = rows.filter(({ isRefused }) => !isRefused);

  it.each(honoured.map((row) => [row.construct, row] as const))('acts: %s', async (_, row) => {
    const started = await startApp({}, { contractFile: contractFileOf(row), features: [ThingsModule] });
    const { baseUrl, key } = started;
    expect(row.probes.length).toBeGreaterThan(0);
    for (const probe of row.probes) {
      const before = things.calls;
      const { status, text, headers } = await send(baseUrl, key, probe);
      expect({ probe, status, text }).toMatchObject({ probe, status: probe.status });
      if (status < 400 && probe.answer !== undefined && typeof probe.body === 'object' && !probe.text) {
        expect(text).toBe(writeJson(probe.answer));
      }
      if (probe.text !== undefined) expect(text).toBe(probe.text);
      if (probe.message !== undefined) expect(JSON.parse(text)).toMatchObject({ message: probe.message });
      for (const [name, value] of Object.entries(probe.responseHeaders ?? {})) expect(headers.get(name)).toBe(value);
      if (probe.seen) expect(things.seen).toMatchObject(probe.seen);
      // A request that the contract forbids never reaches the handler.
      const isRefused = status >= 400 && status < 500 && !(probe.answer instanceof Error);
      if (isRefused) expect(things.calls).toBe(before);
    }
    await started.close();
  });
});

describe('docs/contract.md', () => {
  it('has a row for each construct: run "UPDATE_DOCS=1 npm run test:sqlite -- constructs" after a change', () => {
    const page = readFileSync(PAGE, 'utf8');
    // Without its marks, nothing would be replaced, and any page be right.
    expect(page).toMatch(TABLE);
    const updated = page.replace(TABLE, () => `\n${tableOf(SECTIONS)}\n`);
    if (process.env.UPDATE_DOCS === '1') writeFileSync(PAGE, updated);
    else expect(words(updated)).toEqual(words(page));
  });

  it('has at least 120 constructs, none of them twice', () => {
    expect(rows.length).toBeGreaterThanOrEqual(120);
    expect(new Set(rows.map(({ construct, version }) => `${construct} ${version}`)).size).toBe(rows.length);
  });
});

const TABLE = /(?<=<!-- table -->\n)[^]*(?=<!-- end -->)/;

/** Prettier aligns the columns of tables. */
function words(text: string): string {
  return text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');
}
