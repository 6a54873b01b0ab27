// The machine of the leader dies under concurrent creations and reads.
import { Cluster } from './cluster/cluster.mjs';
import { comeBack, failOver, LATE, onService } from './cluster/fail-over.mjs';

export async function failover(report, say, cleanup) {
  say('failover: creating a cluster of two nodes');
  const cluster = await Cluster.up((begun) => cleanup.add(() => begun.down()));
  await onService(cluster, async (target) => {
    say('failover: killing the leader');
    const { leader, creations, reads } = await failOver(cluster, target);
    report.promise('pets answered with 201', creations.answered > 0, creations.answered);
    report.none('of them not stored', creations.lost);
    report.figure('without writes', creations.withoutWrites, 'ms');
    report.promise('creations answered with 503', creations.refused > 0, creations.refused);
    report.none('of them without Error or Retry-After', creations.impatient);
    report.none('creations answered neither 201 nor 503', creations.others);
    report.promise('slowest creation', creations.slowest < LATE, creations.slowest, 'ms');
    report.promise('reads answered with 200', reads.answered > 0, reads.answered);
    report.promise('reads by the standby before the kill', reads.byStandby > 100, reads.byStandby);
    report.none('pets answered with 201 and not found', reads.missing);
    report.figure('reads answered with 503', reads.refused);
    report.none('of them without Error or Retry-After', reads.impatient);
    report.none('reads answered neither 200 nor 503', reads.others);
    report.promise('slowest read', reads.slowest < LATE, reads.slowest, 'ms');
    say(`failover: restarting ${leader}`);
    report.figure('killed node follows after', await comeBack(cluster, leader), 'ms');
  });
}
