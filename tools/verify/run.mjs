// `npm run verify -- --url URL --key KEY`: tests a running instance from outside.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readArguments, refuseArgument } from '../read-arguments.mjs';
import { readOperations, readProtocolResponses } from './contract.mjs';
import { derivedChecks } from './derived-checks.mjs';
import { Instance } from './instance.mjs';
import { OF_PETS, petChecks } from './pets/pet-checks.mjs';
import { problemOf } from './problem-of.mjs';
import { protocolChecks } from './protocol-checks.mjs';
import { readChecks } from './read-checks.mjs';
import { repetitionChecks } from './repetition-checks.mjs';

const HELP = `Usage: npm run verify -- --url URL --key KEY [--read-key KEY] [--json]

Tests a running instance from outside against openapi.yaml: every operation, every declared status that a caller can
provoke, exact 64-bit integers, repeated requests, headers and deprecation. Prints a table, and exits with 1 when something
differs. Adds a few pets, at most 30, whose names begin with "verify"; nothing can remove them. Repeats requests of other
operations only where the body can have such a name. Of each of them, at most six resources remain, more if the instance validates
nothing, or ignores an Idempotency-Key.

  --url URL       the base address with its version, such as https://staging.example/v1
  --key KEY       an API key of the instance, of the scope write
  --read-key KEY  one of the scope read; without it, 403 is not provoked
  --json          print JSON instead of a table
  --help          print this

VERIFY_KEY and VERIFY_READ_KEY set the keys as well, without showing them in the list of processes.
`;

const { values } = readArguments(HELP, {
  options: {
    url: { type: 'string' },
    key: { type: 'string', default: process.env.VERIFY_KEY },
    'read-key': { type: 'string', default: process.env.VERIFY_READ_KEY },
    json: { type: 'boolean', default: false },
  },
});
const { url, key, 'read-key': readKey } = values;
if (!/^https?:\/\//.test(url ?? '') || !URL.canParse(url) || !key) {
  refuseArgument('Give --url http(s)://... and --key KEY: npm run verify -- --help lists the options.');
}
// After a query or fragment, no path counts; fetch refuses a user.
if (/[?#]|\/\/[^/]*@/.test(url)) refuseArgument('--url must be an address without a user, query or fragment.');
// The error of fetch would print the key.
if (!/^[!-~]+$/.test(key + (readKey ?? '')))
  refuseArgument('--key and --read-key must be of visible ASCII characters.');
// It may write, so 403 could not be provoked.
if (key === readKey) refuseArgument('--read-key must be another key than --key: one of the scope read.');

const name = `verify ${randomBytes(4).toString('hex')}`;
const instance = new Instance(url, key, (seconds) =>
  process.stderr.write(`The instance limits requests; waiting ${seconds} s each time.\n`),
);
const problem = await problemOf(instance, readKey);
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

const contract = readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8');
const operations = readOperations(contract, name);
const others = operations.filter(({ id }) => !OF_PETS.includes(id));

const checks = [
  ...petChecks(operations, instance, name),
  ...readChecks(others, instance),
  ...derivedChecks(operations, instance, { key, readKey }),
  ...repetitionChecks(operations, instance),
  ...protocolChecks(operations, readProtocolResponses(contract), instance),
];
const width = Math.max(...checks.map(({ what }) => what.length));
const results = [];
const notChecked = [];
for (const { operation, what, status, run, otherwise } of checks) {
  const differences = await run().catch((error) => [error.message]);
  // Undefined when a status that depends on timing was not seen, the pets to look at are too far away, or no valid request is
  // known.
  if (differences) {
    results.push({ operation, what, status, differences });
    // At once: with a rate limit, all checks take minutes.
    if (!values.json) process.stdout.write(`${row(results.at(-1))}\n`);
  } else if (otherwise) notChecked.push(otherwise);
}
const notProvoked = operations.flatMap(({ id, responses }) =>
  [...responses.keys()]
    .filter((status) => !results.some((each) => each.operation === id && each.status === status))
    .map((status) => `${id} ${status}`),
);
const failed = results.filter(({ differences }) => differences.length > 0);
process.stdout.write(
  values.json ? `${JSON.stringify({ url, results, notProvoked, notChecked }, undefined, 2)}\n` : summary(),
);
if (failed.length > 0) process.exitCode = 1;

function row({ operation, what, status, differences }) {
  const verdict = differences.length === 0 ? 'ok' : `DIFFERS: ${differences.join('; ')}`;
  return `${operation.padEnd(10)}  ${what.padEnd(width)}  ${status}  ${verdict}`;
}

function summary() {
  return [
    '',
    `Not provoked from outside: ${notProvoked.join(', ')}.`,
    ...(notChecked.length > 0 ? [`Not checked: ${notChecked.join('; ')}.`] : []),
    `${results.length} checks, ${failed.length} differ. The pets added are named "${name}".`,
    '',
  ].join('\n');
}
