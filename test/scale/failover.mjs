// The leader dies during concurrent creations and reads.
import { Cluster } from './cluster/cluster.mjs';
import { comeBack, ENOUGH, failOver, LATE, onService } from './cluster/service/fail-over.mjs';

export async function failover(report, say, cleanup) {
  say('failover: creating a cluster of two nodes');
  const cluster = await Cluster.up((begun) => cleanup.add(() => begun.down()));
  await onService(cluster, async (target) => {
    say('failover: killing the leader');
    const { leader, creations, reads } = await failOver(cluster, target);
    report.promise('creations with 201', creations.succeeded > 0, creations.succeeded);
    report.none('of them not stored', creations.lost);
    report.promise('repeated with their key', creations.repeated > 0, creations.repeated);
    report.none('pets stored twice', creations.twice);
    report.figure('time without writes', creations.withoutWrites, 'ms');
    report.promise('creations with 503', creations.unavailable > 0, creations.unavailable);
    report.none('of them without an Error body or Retry-After', creations.notRetryable);
    report.none('creations with neither 201 nor 503', creations.others);
    report.promise('slowest creation', creations.slowest < LATE, creations.slowest, 'ms');
    report.promise('reads with 200', reads.succeeded > 0, reads.succeeded);
    report.promise('reads by the standby before the kill', reads.byStandby > ENOUGH, reads.byStandby);
    report.none('acknowledged pets not found', reads.missing);
    report.figure('reads with 503', reads.unavailable);
    report.none('of them without an Error body or Retry-After', reads.notRetryable);
    report.none('reads with neither 200 nor 503', reads.others);
    report.promise('slowest read', reads.slowest < LATE, reads.slowest, 'ms');
    say(`failover: restarting ${leader}`);
    report.figure('killed node is the standby after', await comeBack(cluster, leader), 'ms');
  });
}
