// `npm run contract:client -- [--check]`: writes the types and operations of the client from openapi.yaml.
// Exits with 1 when the contract has something that the client cannot honour, and with --check when the file differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { generateClient } from './generate.mjs';

const FILE = 'client/src/contract.generated.ts';

try {
  const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;
  const text = await generateClient(readFileSync('openapi.yaml', 'utf8'), FILE);
  if (!check) writeFileSync(FILE, text);
  else if (readFileSync(FILE, 'utf8') !== text)
    throw new Error(`${FILE} does not match openapi.yaml: run npm run contract:client.`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
