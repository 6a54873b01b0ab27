import { buildService } from '../../tools/build-service.mjs';
import { firstRepeated, readArguments, refuseArgument } from '../../tools/read-arguments.mjs';
import { run, say } from './cluster/command.mjs';
import { assertInstalled } from './cluster/debian.mjs';
import { backup } from './backup/backup.mjs';
import { Cleanup } from './cleanup.mjs';
import { dripping } from './overload/dripping.mjs';
import { failover } from './failover.mjs';
import { mixedLoad } from './mixed-load/mixed-load.mjs';
import { outage } from './outage.mjs';
import { overload } from './overload/overload.mjs';
import { Report } from './report.mjs';
import { rollingUpdate } from './rolling-update.mjs';
import { standbys } from './standbys.mjs';

const ITEMS = {
  outage,
  standbys,
  failover,
  'rolling-update': rollingUpdate,
  'mixed-load': mixedLoad,
  backup,
  dripping,
  overload,
};
const HELP = `Usage: npm run test:scale -- [--json] [--minutes NUMBER] [ITEM...]

Tests the promises of docs/scaling.md with real processes. Exits with 1 when one is broken.

  ITEM              ${Object.keys(ITEMS).join(', ')};
                    by default all
  --minutes NUMBER  minutes of mixed-load; by default 1
  --json            print JSON instead of text
  --help            print this help
`;
const SIGNALS = ['SIGINT', 'SIGTERM'];

const { values, positionals } = readArguments(HELP, {
  allowPositionals: true,
  options: { json: { type: 'boolean' }, minutes: { type: 'string' } },
});

const minutes = Number(values.minutes ?? 1);
if (!(minutes > 0 && minutes < Infinity))
  refuseArgument(`--minutes must be a positive number, not "${values.minutes}".`);
const unknown = positionals.find((name) => !Object.hasOwn(ITEMS, name));
if (unknown) refuseArgument(`Unknown item "${unknown}"; choose from ${Object.keys(ITEMS).join(', ')}.`);
const repeated = firstRepeated(positionals);
if (repeated) refuseArgument(`The item ${repeated} is named twice; name it once.`);
const names = positionals.length > 0 ? positionals : Object.keys(ITEMS);
if (values.minutes && !names.includes('mixed-load')) refuseArgument('--minutes requires the item mixed-load.');

await run(async () => {
  assertInstalled();
  buildService();
  const reports = {};
  for (const name of names) {
    const report = await measure(ITEMS[name], { minutes });
    reports[name] = { isKept: report.isKept, figures: report.figures };
    if (!report.isKept) process.exitCode = 1;
    if (!values.json) process.stdout.write(`${name}: ${report.isKept ? 'kept' : 'BROKEN'}\n${report.text}\n`);
  }
  if (values.json) process.stdout.write(`${JSON.stringify(reports, null, 2)}\n`);
});

async function measure(item, options) {
  const report = new Report();
  const cleanup = new Cleanup();
  const interrupt = () => void cleanup.run().finally(() => process.exit(130));
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    await item(report, say, cleanup, options);
  } finally {
    await cleanup.run();
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
  return report;
}
