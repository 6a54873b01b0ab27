import { readArguments, refuseArgument, wholeNumber } from '../../tools/read-arguments.mjs';
import { requireBuild } from '../require-build.mjs';

const HELP = `Usage: node bench/transactions/transactions.mjs [options]

Compares database.transaction() over two tables with the same statements written by hand, in alternating rounds. Requires
\`npm run build\`. Creates the tables bench_orders and bench_stock, and drops them at the end. Exits with 1 if a transaction
costs more than 1.5 times as much processor or elapsed time.

  --url postgres://ADDRESS  the database; by default a temporary SQLite file
  --rounds N                rounds over both (default 15)
  --help                    print this help
`;

const { values } = readArguments(HELP, {
  options: { url: { type: 'string' }, rounds: { type: 'string', default: '15' } },
});
const rounds = wholeNumber('rounds', values.rounds, { most: 1_000_000 });
if (values.url !== undefined && !/^postgres(ql)?:/.test(values.url))
  refuseArgument('--url must be the address of a PostgreSQL database.');

// Only now, so that the help requires no build.
requireBuild();
const { compareTransactions } = await import('./compare-transactions.mjs');
const { costs, processor, elapsed, isKept } = await compareTransactions(values.url, rounds).catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
process.stdout.write(
  `A transaction takes ${costs.ours.toFixed(0)} µs of processor time, by hand ${costs.byHand.toFixed(0)} µs: ` +
    `${processor.toFixed(2)} times as much, and ${elapsed.toFixed(2)} times as long.\n`,
);
process.exitCode = isKept ? 0 : 1;
