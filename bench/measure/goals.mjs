/** The least ratio to `bare` by processor time; above 1 is cheaper. */
const COST = {
  sqlite: { list: 1, get: 1, create: 0.9 },
  postgres: { list: 0.85, get: 0.8, create: 0.8 },
};
const MOST_P99 = 1.5;

/** The goals that a workload of a peer misses; `reference` is the same workload of the first peer. */
export function missedGoals(engine, workload, { costRatio, p99Ratio, errors }, reference) {
  const cost = COST[engine][workload];
  return [
    ...(costRatio < cost ? [`processor ${cost}`] : []),
    ...(p99Ratio > MOST_P99 ? [`p99 ${MOST_P99}`] : []),
    ...(errors > reference.errors ? ['errors'] : []),
  ];
}
