import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { firstRepeated, readArguments, refuseArgument, wholeNumber } from '../tools/read-arguments.mjs';
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
  --growth          check that no operation of the service costs more with 10,000,000 pets than with 1,000; exits 1 when
                    one costs more than 1.3 times as much
  --pets N          with --growth: the largest number of pets, more than 1000 (default 10000000)
  --no-build        measure the existing build of the service, instead of building it first
  --help            print this help

Charts are written to bench/results/.
`;

const LIMITS = {
  rounds: { most: 1_000_000 },
  // Node ends a timer of more than 24 days at once, which would kill the load generator.
  seconds: { most: 86_400 },
  // The load generator has no more ports for one server.
  connections: { most: 65_535 },
  // The costs are relative to those with 1,000 pets.
  pets: { least: 1_001, most: 1_000_000_000 },
};

const numberOf = (name, value, fallback) => (value === undefined ? fallback : wholeNumber(name, value, LIMITS[name]));

function listOf(name, text) {
  const list = text?.split(',');
  const repeated = firstRepeated(list ?? []);
  if (repeated !== undefined) refuseArgument(`--${name} names "${repeated}" twice; name it once.`);
  return list;
}

/** In ascending order. */
const numbersOf = (name, text) =>
  listOf(name, text)
    ?.map((value) => numberOf(name, value))
    .toSorted((a, b) => a - b);

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
      'no-build': { type: 'boolean', default: false },
    },
  });
  const connections = numbersOf('connections', values.connections);
  const isCurve = connections?.length > 1;
  const mode = values.growth ? 'growth' : values.quick ? 'quick' : isCurve ? 'curve' : 'compare';
  const engine = values.postgres ? 'postgres' : 'sqlite';
  const defaults = DEFAULTS[mode];
  const problem = problemOf(values, connections);
  if (problem !== undefined) refuseArgument(problem);
  return {
    mode,
    engine,
    generator: values.generator,
    json: values.json,
    baseline: values.baseline,
    builds: !values['no-build'],
    connections: connections ?? defaults.connections ?? [DEFAULT_CONNECTIONS],
    pets: numberOf('pets', values.pets, 10_000_000),
    rounds: numberOf('rounds', values.rounds, defaults.rounds),
    seconds: numberOf('seconds', values.seconds, defaults.seconds),
    starts: defaults.starts,
    peers: peersOf(values, engine, defaults),
  };
}

/** Why these options do not go together or make no sense, in one sentence; undefined when they do. */
function problemOf({ growth, quick, postgres, baseline, generator, json, ...values }, connections) {
  const choosesPeers = values.peers !== undefined || values.against.length + values.variant.length > 0;
  const problems = [
    [
      generator !== undefined && !GENERATORS.includes(generator),
      `--generator must be ${GENERATORS.join(' or ')}, not "${generator}".`,
    ],
    [growth && quick, '--growth and --quick are mutually exclusive.'],
    [growth && connections?.length > 1, '--growth requires one number of --connections.'],
    [growth && choosesPeers, '--growth measures the service only: omit --peers, --against and --variant.'],
    [values.pets !== undefined && !growth, '--pets requires --growth.'],
    [quick && connections, '--quick and --connections are mutually exclusive.'],
    [quick && postgres, '--postgres and --quick are mutually exclusive.'],
    [
      quick && choosesPeers,
      '--quick compares the service with --baseline only: omit --peers, --against and --variant.',
    ],
    [quick && values.rounds === '1', '--quick requires at least 2 --rounds: one round does not show the noise.'],
    [baseline !== undefined && !quick, '--baseline requires --quick.'],
    [
      json !== undefined && json !== '-' && !isWritable(json),
      `--json must be - or a file that can be written, not "${json}".`,
    ],
  ];
  return problems.find(([isProblem]) => isProblem)?.[1];
}

/** Before minutes of measurements, not after them. */
function isWritable(file) {
  try {
    const target = existsSync(file) ? file : dirname(file);
    accessSync(target, constants.W_OK);
    return statSync(target).isDirectory() === (target !== file);
  } catch {
    return false;
  }
}

function peersOf(values, engine, defaults) {
  const peers = [
    ...choosePeers(listOf('peers', values.peers) ?? defaults.peers?.(engine) ?? usualNamesOn(engine), engine),
    ...values.against.map(otherBuild),
    ...values.variant.map(variant),
  ];
  const repeated = firstRepeated(peers.map(({ name }) => name));
  if (repeated !== undefined) {
    refuseArgument(`Two peers are named "${repeated}"; give --against and --variant other names.`);
  }
  return peers;
}
