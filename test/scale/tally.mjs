const GOOD = new Set(['GET 200', 'POST 201']);

/** Counts the outcomes of many requests. */
export function tally(outcomes, stored) {
  const unavailable = outcomes.filter(({ status }) => status === 503);
  const others = outcomes.filter(({ method, status }) => status !== 503 && !GOOD.has(`${method} ${status}`));
  const created = outcomes.filter(({ status }) => status === 201);
  return {
    requests: outcomes.length,
    created: created.length,
    unavailable: unavailable.length,
    notRetryable: unavailable.filter(({ isRetryable }) => !isRetryable).length,
    others: countBy(others, ({ method, status, error }) => `${method} ${error ?? status}`),
    lost: created.filter(({ id, name }) => stored.get(id) !== name).length,
    twice: stored.size - new Set(stored.values()).size,
    slowest: outcomes.reduce((longest, { took }) => Math.max(longest, took), 0),
  };
}

function countBy(items, keyOf) {
  const counts = {};
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return counts;
}
