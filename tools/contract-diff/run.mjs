import { readFileSync } from 'node:fs';
import { readArguments } from '../read-arguments.mjs';
import { compareDocuments } from './compare.mjs';
import { parseDocument } from '../contract/document.mjs';
import { readReleases, UsageError } from './release.mjs';
import { reportOf, textOf } from './report.mjs';

const HELP = `Usage: npm run contract:diff -- [--base REF] [--json]

Classifies every change of openapi.yaml since the last release as breaking, additive or documentation, separately for
requests and responses. Exits with 1 when a breaking change comes without a new major version of info.version, and with 2
when it cannot compare.

  --base REF  the commit or tag to compare with; by default the newest tag vX.Y.Z before HEAD, or without one the
              commit that gave info.version its present value, and the one that gave it the value before
  --json      print JSON instead of a table
  --help      print this help
`;

const options = { base: { type: 'string' }, json: { type: 'boolean', default: false } };
const { values } = readArguments(HELP, { options });

try {
  compareWithRelease(values);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

function compareWithRelease({ base: ref, json }) {
  const releases = readReleases(ref).map(({ base, text }) => ({
    base,
    before: parseContract(text, `openapi.yaml at ${base}`),
  }));
  const after = parseContract(readCurrent(), 'openapi.yaml');
  const reports = releases.map(({ base, before }) => reportOf(base, before, after, compareDocuments(before, after)));
  const report = reports.find(({ passed }) => !passed) ?? reports[0];
  process.stdout.write(json ? `${JSON.stringify(report, undefined, 2)}\n` : `${textOf(report)}\n`);
  if (!report.passed) process.exitCode = 1;
}

function readCurrent() {
  try {
    return readFileSync('openapi.yaml', 'utf8');
  } catch (error) {
    throw new UsageError('No openapi.yaml here: run this in the root of the repository.', { cause: error });
  }
}

function parseContract(text, name) {
  try {
    return parseDocument(text);
  } catch (error) {
    throw new UsageError(`${name} is not valid YAML: ${error.message.split('\n')[0]}`, { cause: error });
  }
}
