import { table } from './table.mjs';

/** During reads, a server that uses less of its core was not the bottleneck. */
const SATURATED = 0.9;

const whole = (number) => Math.round(number).toLocaleString('en');
const milliseconds = (number) => `${number.toFixed(number < 10 ? 2 : 1)} ms`;
const microseconds = (number) => (Number.isNaN(number) ? '' : `${number.toFixed(0)} µs`);
const megabytes = (bytes) => `${whole(bytes / 1e6)} MB`;
const percent = (share) => (Number.isNaN(share) ? '' : `${Math.round(Math.min(share, 1) * 100)} %`);

function workloadTable(workload, peers, withDatabase) {
  const database = withDatabase ? ['database'] : [];
  return table(
    [workload, 'requests/s', 'min..max', 'p50', 'p99', 'busy', 'processor', ...database, `of ${peers[0].name}`],
    peers.map(({ name, workloads: { [workload]: measured } }) => [
      name,
      whole(measured.perSecond.median),
      `${whole(measured.perSecond.min)}..${whole(measured.perSecond.max)}`,
      milliseconds(measured.p50),
      milliseconds(measured.p99),
      percent(measured.busy),
      microseconds(measured.processorMicroseconds),
      ...(withDatabase ? [microseconds(measured.databaseMicroseconds)] : []),
      measured.ratio.toFixed(2),
    ]),
  );
}

const processTable = (peers) =>
  table(
    ['process', 'first response after', 'min..max', 'memory then', 'after the load'],
    peers.map(({ name, start, residentBytes }) => [
      name,
      `${whole(start.milliseconds.median)} ms`,
      `${whole(start.milliseconds.min)}..${whole(start.milliseconds.max)} ms`,
      megabytes(start.residentBytes),
      megabytes(residentBytes),
    ]),
  );

const saturationWarning = ({ conditions, peers }) => {
  const waiting = peers.filter(({ workloads: { list, get } }) => list.busy < SATURATED || get.busy < SATURATED);
  if (waiting.length === 0) return [];
  const names = waiting.map(({ name }) => name).join(', ');
  return [
    `${names} could be faster than shown: they waited for ${conditions.generator} or for other processes on this machine.`,
  ];
};

export function comparisonTable(results) {
  const { peers } = results;
  const workloads = Object.keys(peers[0].workloads);
  // An embedded database has no processor time of its own.
  const withDatabase = workloads.some((workload) => peers[0].workloads[workload].databaseMicroseconds !== 0);
  return [
    ...workloads.map((workload) => workloadTable(workload, peers, withDatabase)),
    processTable(peers),
    ...saturationWarning(results),
  ].join('\n\n');
}
