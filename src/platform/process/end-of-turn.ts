import { AsyncResource } from 'node:async_hooks';

/**
 * The work of one turn of the event loop, usually after Node has read everything that arrived, in this order: start requests
 * that wait, read from the database, write the responses that are ready, commit, write the responses that waited for
 * the commit.
 */
type Phase = 'start' | 'read' | 'respond' | 'commit';

type Work = () => void;

/**
 * Work on requests may take this many times as long as reading them took, before Node reads more. Otherwise an
 * overloaded service would spend most of its time on reading requests, and little on serving them.
 */
const WORK_PER_READING = 8;

/** Maximum milliseconds of that work, unless requests wait: those that arrive meanwhile have to wait. */
const MAX_WORK = 20;

/**
 * Maximum milliseconds for which a turn is prolonged while connections arrive. Node accepts one connection each time it
 * reads, however many wait; with work in between, the last of 500 would wait for seconds.
 */
const MAX_OPENING = 20;

/**
 * Maximum milliseconds for which a turn is prolonged while a commit grows. Responses to a commit are written together, so
 * the requests that follow them arrive one soon after the other: without this, the first would be committed alone.
 */
const MAX_GROWING = 5;

/**
 * Connections that Node may accept before the work of a turn with a large result, however long accepting them takes.
 * That work takes even longer: with only a few connections between two results, the last of 1,000 connections would
 * wait for most of the results.
 */
const MIN_OPENED = 64;

/**
 * Maximum milliseconds for which waiting requests are served before Node reads more. Requests that arrive while others wait
 * have to wait as well, in memory: without this, a queue would never end under load.
 */
const MAX_DRAINING = 40;

const pending: Record<Phase, Work[]> = { start: [], read: [], respond: [], commit: [] };
/** When the first work of this turn was added, as `performance.now()`; 0 before. */
let startedAt = 0;
let turn = 0;
/** When Node must read again. */
let workUntil = 0;
/** When it must do so although requests wait. */
let drainUntil = 0;
let leftOver = 0;
/** What ends this turn. */
let end: NodeJS.Immediate | undefined;
/** Whether the work of this turn is being done. */
let isWorking = false;
/** Whether Node has accepted a connection since it last had read everything. */
let hasNewConnection = false;
/** Whether a commit of this turn has grown since Node last read, and is likely to grow further. */
let isGrowing = false;
/** Until when this turn may be prolonged; 0 when it is not. */
let openUntil = 0;
/** Whether a large result has come since this turn began, or before it. */
let hasLargeResult = false;
/** Connections for which this turn must still be prolonged; undefined unless it has a large result. */
let toOpen: number | undefined;
/** How much work all phases have. */
let count = 0;

export function atEndOfTurn(phase: Phase, work: Work): void {
  pending[phase].push(work);
  count += 1;
  if (startedAt === 0) schedule();
}

/** For work that is left for the next run of its phase, so that other work need not wait for it. */
export function leaveForLater(phase: Phase, work: Work): void {
  leftOver += 1;
  atEndOfTurn(phase, () => {
    leftOver -= 1;
    work();
  });
}

/** Whether work was left for later: a reason to start nothing new. */
export function isBehind(): boolean {
  return leftOver > 0;
}

/** Whether this turn will commit. */
export function willCommit(): boolean {
  return pending.commit.length > 0;
}

/** Does the work of this turn although Node has more to read, after the callback that is running. */
export function workWhileReading(): void {
  process.nextTick(() => {
    if (startedAt === 0 || isWorking) return;
    clearImmediate(end);
    context.runInAsyncScope(beginWork, undefined, performance.now());
  });
}

/** Lets Node read again before the work of this turn. Call for each connection that Node has accepted. */
export function prolongTurn(): void {
  hasNewConnection = true;
}

/** Lets Node read again before the work of this turn. Call for each change that is likely not to be the last one. */
export function awaitMoreChanges(): void {
  isGrowing = true;
}

/** Call for each large result that was read, and each large response that was made of one: both take long. */
export function addLargeResult(): void {
  hasLargeResult = true;
}

/** Milliseconds since the first work of this turn was added. `now` is `performance.now()`. */
export function timeInTurn(now: number): number {
  return startedAt === 0 ? 0 : now - startedAt;
}

/** The number of this turn; turns without work do not count. */
export function currentTurn(): number {
  return startedAt === 0 ? turn + 1 : turn;
}

/** The work of a turn belongs to many requests: it must not run in the context of the one that happened to schedule it. */
const context = new AsyncResource('EndOfTurn');

function schedule(): void {
  turn += 1;
  startedAt = performance.now();
  end = setImmediate(endTurnInContext);
}

function endTurnInContext(): void {
  context.runInAsyncScope(endTurn);
}

function endTurn(): void {
  const now = performance.now();
  if (hasNewConnection) {
    hasNewConnection = false;
    if (openUntil === 0) openUntil = now + MAX_OPENING;
    // Set only once per turn, so that the turn ends.
    if (hasLargeResult) toOpen ??= MIN_OPENED;
    if (now < openUntil || (toOpen !== undefined && toOpen-- > 0)) {
      end = setImmediate(endTurn);
      return;
    }
  }
  if (isGrowing) {
    isGrowing = false;
    if (now - startedAt < MAX_GROWING) {
      end = setImmediate(endTurn);
      return;
    }
  }
  beginWork(now);
}

function beginWork(now: number): void {
  openUntil = 0;
  toOpen = undefined;
  hasLargeResult = false;
  isGrowing = false;
  isWorking = true;
  drainUntil = now + MAX_DRAINING;
  workUntil = now + Math.min((now - startedAt) * WORK_PER_READING, MAX_WORK);
  runPhases();
}

/** Starting, reading and committing are skipped when there is nothing to do: with few connections, that is usual. */
function runPhases(): void {
  if (pending.start.length === 0) {
    read();
    return;
  }
  run('start');
  afterHandlers(read);
}

function read(): void {
  if (pending.read.length === 0) {
    respond();
    return;
  }
  run('read');
  afterHandlers(respond);
}

function respond(): void {
  run('respond');
  // After the listeners of these responses, which run in ticks of their own.
  process.nextTick(commit);
}

function commit(): void {
  if (pending.commit.length === 0) {
    workOrReadMore();
    return;
  }
  run('commit');
  afterHandlers(respondToCommitted);
}

function respondToCommitted(): void {
  run('respond');
  process.nextTick(workOrReadMore);
}

function workOrReadMore(): void {
  const isDraining = pending.start.length > 0 && !isBehind();
  if (count > 0 && performance.now() < (isDraining ? drainUntil : workUntil)) {
    runPhases();
    return;
  }
  isWorking = false;
  if (count > 0) schedule();
  else startedAt = 0;
}

/** A tick that a microtask schedules runs when no microtask is left: after the handlers that were resumed. */
function afterHandlers(next: Work): void {
  queueMicrotask(() => process.nextTick(next));
}

function run(phase: Phase): void {
  const works = pending[phase];
  pending[phase] = [];
  count -= works.length;
  for (const work of works) work();
}
