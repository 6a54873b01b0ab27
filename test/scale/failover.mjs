// The machine of the leader dies under concurrent creations.
import { Cluster } from '../../deploy/ha/cluster.mjs';
import { comeBack, failOver, LATE, onService } from '../../deploy/ha/fail-over.mjs';

export async function failover(report, say, cleanup) {
  say('failover: a cluster of two nodes is made');
  const cluster = await Cluster.up((begun) => cleanup.add(() => begun.down()));
  await onService(cluster, async (target) => {
    say('failover: the leader is killed');
    const outcome = await failOver(cluster, target);
    report.promise('pets answered with 201', outcome.acknowledged > 0, outcome.acknowledged);
    report.none('of them not stored', outcome.lost);
    report.figure('without writes', outcome.withoutWrites, 'ms');
    report.promise('answers 503', outcome.refused > 0, outcome.refused);
    report.none('of them without Error or Retry-After', outcome.impatient);
    report.none('neither 201 nor 503', outcome.others);
    report.promise('slowest answer', outcome.slowest < LATE, outcome.slowest, 'ms');
    say(`failover: ${outcome.leader} is started again`);
    report.figure('killed node follows after', await comeBack(cluster, outcome.leader), 'ms');
  });
}
