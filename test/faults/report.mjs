const percent = (share) => `${(share * 100).toFixed(1)} %`;

/** A line for the fault that was tried last. */
export function progress(rows, total) {
  const { area, mistake, outcome, by, seconds } = rows.at(-1);
  const other = outcome === 'caught' || by === undefined ? '' : ` (${by})`;
  return `${rows.length}/${total}  ${outcome}  ${area}: ${mistake}${other}  ${seconds} s\n`;
}

/** How many faults of each area have which outcome, and those that no test caught as promised. */
export function summary(rows, share) {
  const areas = Map.groupBy?.(rows, ({ area }) => area) ?? groupByArea(rows);
  const caught = (some) => some.filter(({ outcome }) => outcome === 'caught').length;
  const lines = [...areas].map(([area, some]) => `${area.padEnd(12)} ${caught(some)} of ${some.length}`);
  const missed = rows
    .filter(({ outcome }) => outcome !== 'caught')
    .map(({ file, mistake, outcome, promise }) => `${outcome}: ${mistake} (${file}), promised by "${promise}"`);
  const total = `Caught by the test that names the promise: ${caught(rows)} of ${rows.length}, ${percent(share)}.`;
  return `${[...lines, ...missed, total].join('\n')}\n`;
}

function groupByArea(rows) {
  const areas = new Map();
  for (const row of rows) areas.set(row.area, [...(areas.get(row.area) ?? []), row]);
  return areas;
}
