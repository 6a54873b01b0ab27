/**
 * What to do after Node has read everything that arrived in one turn of its event loop, in this order: read from the
 * database, write the responses that are ready, commit.
 */
type Phase = 'read' | 'respond' | 'commit';

type Work = () => void;

const pending: Record<Phase, Work[]> = { read: [], respond: [], commit: [] };
let isScheduled = false;

export function atEndOfTurn(phase: Phase, work: Work): void {
  pending[phase].push(work);
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(endTurn);
}

function endTurn(): void {
  isScheduled = false;
  run('read');
  // A tick that a microtask schedules runs when no microtask is left: after the handlers that waited for these reads.
  queueMicrotask(() => process.nextTick(respond));
}

function respond(): void {
  run('respond');
  // After the listeners of these responses, which run in ticks of their own.
  process.nextTick(run, 'commit');
}

function run(phase: Phase): void {
  const works = pending[phase];
  pending[phase] = [];
  for (const work of works) work();
}
