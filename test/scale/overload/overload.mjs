// One service on SQLite gets three times as many requests as it can serve.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startService } from '../cluster/service/service.mjs';
import { machineSeconds, processorSeconds } from '../../../bench/machine/process-usage.mjs';
import { send } from '../cluster/service/send.mjs';

const PATH = '/v1/pets?limit=100';
const CONNECTIONS = 256;
const OVERLOAD = 3;
/** The least share of the useful responses that remains then. */
const MIN_SHARE = 0.8;
/**
 * Each measures the capacity, three times as much, and the capacity again: a shared machine becomes half as fast or as fast again within
 * seconds, so that only neighbours in time compare.
 */
const ROUNDS = 5;
/** A round during which other processes work is repeated, as long as there are not more than these. */
const MOST_ROUNDS = 8;
/** Seconds. */
const AT_CAPACITY = 4;
const AT_OVERLOAD = 10;
/** Cores that other processes may keep busy in a round that is judged. */
const CALM = 0.1;
/** Milliseconds within which a response is of use. */
const USEFUL = 1000;
const GENERATOR = join(import.meta.dirname, 'open-loop.mjs');

export async function overload(report, say, cleanup) {
  const directory = mkdtempSync(join(tmpdir(), 'pet-store-overload-'));
  cleanup.add(() => rmSync(directory, { recursive: true, force: true }));
  const key = randomBytes(16).toString('hex');
  const { port, pid, stop } = await startService({
    DATABASE_URL: `sqlite:${join(directory, 'pets.sqlite')}`,
    API_KEYS: key,
  });
  cleanup.add(stop);
  const target = { port, key };
  for (let count = 0; count < 100; count += 1) {
    await send(target, 'POST', '/v1/pets', { name: `pet ${count}`, categoryId: count, status: 'available' });
  }
  const load = async (rate, seconds) => {
    const settings = { port, pid, key, path: PATH, rate, seconds, connections: CONNECTIONS };
    const [startedAt, machine, service] = [performance.now(), machineSeconds(), processorSeconds(pid)];
    const { stdout } = await promisify(execFile)(...onOtherCore([GENERATOR, JSON.stringify(settings)]), {
      maxBuffer: 2 ** 28,
    });
    const { processor, ...outcome } = JSON.parse(stdout);
    const others = machineSeconds() - machine - (processorSeconds(pid) - service) - processor;
    return { ...figuresOf(outcome, seconds), isCalm: others < (CALM * (performance.now() - startedAt)) / 1000 };
  };
  await moveToCore(pid);

  say('overload: the capacity, from ever higher rates');
  let peak = { goodput: 0 };
  for (let rate = 500; ; rate *= 1.3) {
    const figures = await load(rate, AT_CAPACITY);
    if (figures.goodput > peak.goodput) peak = figures;
    if (figures.goodput < 0.9 * rate && rate > 1.5 * peak.goodput) break;
  }
  say(`overload: ${Math.round(peak.capacity)} requests per second, and three times as many as it can serve, in turns`);
  const every = [];
  const calm = () => every.filter(({ before, over, next }) => before.isCalm && over.isCalm && next.isCalm);
  let next = await load(peak.capacity, AT_CAPACITY);
  while (calm().length < ROUNDS && every.length < MOST_ROUNDS) {
    const before = next;
    const over = await load(OVERLOAD * before.capacity, AT_OVERLOAD);
    next = await load(before.capacity, AT_CAPACITY);
    every.push({ before, over, next, most: (before.capacity + next.capacity) / 2 });
  }
  const after = await load(next.capacity / 2, AT_CAPACITY);
  const all = [...every.flatMap(({ before, over }) => [before, over]), next, after];

  report.figure('rounds that other processes disturbed', every.length - calm().length);
  report.none(
    'failed requests',
    all.reduce((sum, { failed, others }) => sum + failed + others, 0),
  );
  report.promise('peak memory, MB', peakMemory(pid) < 512, peakMemory(pid));
  if (calm().length === ROUNDS) judge(report, calm(), after);
  else report.figure('undisturbed rounds, too few to judge the rest', calm().length);
}

function judge(report, rounds, after) {
  const median = (of) => rounds.map(of).toSorted((one, other) => one - other)[(ROUNDS - 1) / 2];
  const share = median(({ most, over }) => over.goodput / most);
  report.figure(
    'useful responses per second, at most',
    median(({ most }) => most),
  );
  report.figure(
    'useful responses per second at three times the capacity',
    median(({ over }) => over.goodput),
  );
  report.promise('of them, per cent of the most', share >= MIN_SHARE, 100 * share);
  report.figure(
    'refused with 503',
    median(({ over }) => over.refused),
  );
  const p99 = median(({ over }) => over.p99);
  report.promise('99 % of the responses within', p99 < USEFUL, p99, 'ms');
  report.inTime(
    'until all are answered after the last request',
    median(({ over }) => over.drained),
  );
  report.none('refused at half of the capacity afterwards', after.refused);
}

function figuresOf({ outcomes, failed, drained, service }, seconds) {
  const of = (status) => outcomes.filter(([actual]) => actual === status);
  const served = of(200);
  // What arrives after the last request would count as the work of less time than it took.
  const goodput = served.filter(([, took, at]) => took <= USEFUL && at <= 1000 * seconds).length / seconds;
  return {
    goodput,
    /** As many as if the service had kept its core busy all the time. */
    capacity: goodput / Math.min(1, service),
    refused: of(503).length,
    others: outcomes.length - served.length - of(503).length,
    p99: outcomes.map(([, took]) => took).toSorted((one, other) => one - other)[Math.floor(0.99 * outcomes.length)],
    failed,
    drained,
  };
}

/** The service has one core, the generator another, if there are two. */
const hasCores = availableParallelism() > 1;
const onOtherCore = (args) =>
  hasCores ? ['taskset', ['-c', '1', process.execPath, ...args]] : [process.execPath, args];
const moveToCore = (pid) => hasCores && promisify(execFile)('taskset', ['-a', '-p', '-c', '0', String(pid)]);

const peakMemory = (pid) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
