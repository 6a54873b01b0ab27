import { readFileSync, writeFileSync } from 'node:fs';
import { readArguments } from '../read-arguments.mjs';
import { generateClient } from './generate.mjs';

const FILE = 'client/src/contract.generated.ts';

const HELP = `Usage: npm run contract:client -- [--check]

Writes the types and operations of the client, ${FILE}, from openapi.yaml. An operation that the client
cannot honour is left out, with a sentence that says why.

  --check  write nothing, and exit with 1 when the file differs
  --help   print this help
`;

const report = (sentence) => process.stderr.write(`${sentence}\n`);

const { values } = readArguments(HELP, { options: { check: { type: 'boolean', default: false } } });

try {
  const text = await generateClient(readFileSync('openapi.yaml', 'utf8'), FILE, report);
  if (!values.check) writeFileSync(FILE, text);
  else if (readFileSync(FILE, 'utf8') !== text)
    throw new Error(`${FILE} does not match openapi.yaml: run npm run contract:client.`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
