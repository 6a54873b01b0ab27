import { readArguments, refuseArgument } from '../tools/read-arguments.mjs';
import { choosePeers, namesOn, otherBuild, usualNamesOn, variant } from './contenders/peers.mjs';
import { DEFAULT_CONNECTIONS, GENERATORS } from './load/generate-load.mjs';

const HELP = `Usage: npm run bench -- [options]

Compares the service with other implementations of the same API, in interleaved rounds: the same requests, the same
rows, responses checked byte for byte, every creation committed to disk before its response.

  --peers a,b       only these peers: ${namesOn('sqlite').join(', ')}
  --postgres        on PostgreSQL with durable commits, over a socket; peers: ${namesOn('postgres').join(', ')}
  --against NAME=FILE
                    also measure another build of the service: the main.js of another checkout; may be repeated
  --variant NAME=VARIABLE=VALUE
                    also measure the service with another environment; may be repeated
  --connections N   connections of the load generator (default ${DEFAULT_CONNECTIONS})
  --connections N,N,...
                    the load curve: processor time, 99th percentile, errors and peak memory by number of connections,
                    with the goals that are missed; peers by default: the first one and ours
  --rounds N        rounds over all peers (default 5)
  --seconds N       seconds of load per peer, workload and round (default 4)
  --generator NAME  ${GENERATORS.join(' or ')} (default: wrk where it is installed, else autocannon)
  --json FILE       also write the results to FILE as JSON; - writes them to standard output instead of the table
  --quick           about two minutes: the processor time of requests relative to the commit of bench/baseline.json,
                    built and measured in the same run, with 64 and 512 connections; exits 1 when a request costs more
                    by a tenth and by more than the noise, or when the noise would hide that it costs a third more
  --baseline COMMIT with --quick: compare with that commit
  --growth          check that no operation costs more with 10,000,000 pets than with 1,000; exits 1 when one costs
                    more than 1.3 times as much
  --pets N          with --growth: the largest number of pets (default 10000000)
  --help            print this help

Charts are written to bench/results/.
`;

const wholeNumber = (name, value, fallback) => {
  if (value === undefined) return fallback;
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  return refuseArgument(`--${name} must be a whole number of at least 1, not "${value}".`);
};

/** In ascending order, each once. */
const wholeNumbers = (name, list) =>
  [...new Set(list.split(',').map((value) => wholeNumber(name, value)))].toSorted((a, b) => a - b);

/** The practical limit, and the service. */
const limitAndService = (engine) => [namesOn(engine).at(0), namesOn(engine).at(-1)];

const DEFAULTS = {
  compare: { rounds: 5, seconds: 4, starts: 3 },
  curve: { rounds: 5, seconds: 4, starts: 1, peers: limitAndService },
  quick: {
    rounds: 6,
    seconds: 2,
    starts: 1,
    connections: [64, 512],
    peers: () => ['ours'],
  },
  growth: { rounds: 5, seconds: 2, starts: 1, peers: () => ['ours'] },
};

/** Ends the process after an invalid option, and after --help. */
export function readOptions() {
  const { values } = readArguments(HELP, {
    options: {
      peers: { type: 'string' },
      against: { type: 'string', multiple: true, default: [] },
      variant: { type: 'string', multiple: true, default: [] },
      connections: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      generator: { type: 'string' },
      json: { type: 'string' },
      pets: { type: 'string' },
      postgres: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      baseline: { type: 'string' },
      growth: { type: 'boolean', default: false },
    },
  });
  const connections = values.connections === undefined ? undefined : wholeNumbers('connections', values.connections);
  const isCurve = connections?.length > 1;
  const mode = values.growth ? 'growth' : values.quick ? 'quick' : isCurve ? 'curve' : 'compare';
  const engine = values.postgres ? 'postgres' : 'sqlite';
  const defaults = DEFAULTS[mode];
  if (values.generator !== undefined && !GENERATORS.includes(values.generator)) {
    refuseArgument(`--generator must be ${GENERATORS.join(' or ')}, not "${values.generator}".`);
  }
  if (values.growth && values.quick) refuseArgument('--growth and --quick are mutually exclusive.');
  if (values.growth && isCurve) refuseArgument('--growth requires one number of --connections.');
  if (values.quick && connections) refuseArgument('--quick and --connections are mutually exclusive.');
  if (values.postgres && values.quick) refuseArgument('--postgres and --quick are mutually exclusive.');
  if (values.quick && (values.peers || values.against.length > 0 || values.variant.length > 0)) {
    refuseArgument('--quick compares the service with --baseline only: omit --peers, --against and --variant.');
  }
  if (values.quick && values.rounds === '1') {
    refuseArgument('--quick requires at least 2 --rounds: one round does not show the noise.');
  }
  if (values.baseline && !values.quick) refuseArgument('--baseline requires --quick.');
  return {
    mode,
    engine,
    generator: values.generator,
    json: values.json,
    baseline: values.baseline,
    connections: connections ?? defaults.connections ?? [DEFAULT_CONNECTIONS],
    pets: wholeNumber('pets', values.pets, 10_000_000),
    rounds: wholeNumber('rounds', values.rounds, defaults.rounds),
    seconds: wholeNumber('seconds', values.seconds, defaults.seconds),
    starts: defaults.starts,
    peers: [
      ...choosePeers(values.peers?.split(',') ?? defaults.peers?.(engine) ?? usualNamesOn(engine), engine),
      ...values.against.map(otherBuild),
      ...values.variant.map(variant),
    ],
  };
}
