import type { Registry } from 'prom-client';
import { COMMITS, type Commit, queuedItems } from '../database/tables/group-commit.js';

type PromClient = typeof import('prom-client');

/** The groups of rows that are committed together. */
export function addCommitMetrics(client: PromClient, registry: Registry): void {
  const registers = [registry];
  const sizes = new client.Histogram({
    name: 'database_commit_group_size',
    help: 'Rows that were committed together.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
    registers,
  });
  const durations = new client.Histogram({
    name: 'database_commit_duration_seconds',
    help: 'Time of a commit.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  registry.registerMetric(
    new client.Gauge({
      name: 'database_commit_queue_length',
      help: 'Rows that wait for the next commit.',
      registers: [],
      collect() {
        this.set(queuedItems());
      },
    }),
  );
  COMMITS.subscribe((message) => {
    const { size, milliseconds } = message as Commit;
    sizes.observe(size);
    durations.observe(milliseconds / 1000);
  });
}
