import { describe, expect, it } from '@jest/globals';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TIME, verifyAt } from './run-verify.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** An operation beside those of pets. */
const NOTES = `
paths:
  /notes:
    post:
      operationId: createNote
      parameters: [{$ref: '#/components/parameters/IdempotencyKey'}]
      requestBody:
        content:
          application/json:
            schema: {type: object, required: [name, text], properties: {name: {type: string}, text: {type: string}}}
      responses: {201: {description: d}, 400: {description: d}, 413: {description: d}}
    get:
      operationId: listNotes
      responses: {200: {description: d, content: {application/json: {schema: {type: array, maxItems: 0}}}}}
`;

/** The command with another contract. The run removes its folder. */
function copyWith(paths: string): string {
  const folder = mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'verify-'));
  mkdirSync(join(folder, 'tools'));
  for (const name of ['verify', 'contract', 'read-arguments.mjs', 'json-text.mjs'])
    cpSync(join(ROOT, 'tools', name), join(folder, 'tools', name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const contract = readFileSync(join(ROOT, 'openapi.yaml'), 'utf8');
  writeFileSync(join(folder, 'openapi.yaml'), contract.replace('\npaths:\n', paths));
  return join(folder, 'tools/verify/run.mjs');
}

describe('npm run verify, with an operation for which no valid request is known', () => {
  it(
    'checks its keys, and says in a line and in JSON that it checked no more',
    async () => {
      const server = createServer((_, response) => response.end('[]')).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      const command = copyWith(NOTES);
      const text = await verifyAt(command, '--url', url, '--key', 'pets_a-key-of-the-test');
      const json = await verifyAt(command, '--url', url, '--key', 'pets_a-key-of-the-test', '--json');
      server.close().closeAllConnections();
      expect(text.stdout).toMatch(/^createNote +without a key +401 /m);
      expect(text.stdout).toMatch(/^listNotes +a valid request +200 +DIFFERS: content type none$/m);
      expect(text.stdout).toMatch(/^Not checked: (.*; )?createNote beyond its keys \(its body has no example\)\.$/m);
      const { results, notChecked } = JSON.parse(json.stdout) as Record<string, { operation: string }[]>;
      // Resources of other groups are not checked either, because the instance lists none.
      expect(notChecked).toContain('createNote beyond its keys (its body has no example)');
      const ofNotes = results!.filter(({ operation }) => operation === 'createNote');
      expect(new Set(ofNotes.map((each) => 'status' in each && each.status))).toEqual(new Set([401]));
    },
    TIME,
  );
});
