import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { median } from '../measure/statistics.mjs';

const FILE = fileURLToPath(new URL('../baseline.json', import.meta.url));

const readAll = () => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {});

/**
 * The ratios of several runs by number of connections, workload and peer, separate for each load generator: a slower
 * generator hides differences.
 */
export const readBaseline = (generator) => readAll()[generator];

export async function saveBaseline(generator, runs) {
  const baseline = {};
  for (const { connections, workload, peer, rounds } of runs.flat()) {
    const list = (((baseline[connections] ??= {})[workload] ??= {})[peer] ??= []);
    list.push(Number(median(rounds).toFixed(3)));
  }
  const document = JSON.stringify({ ...readAll(), [generator]: baseline });
  writeFileSync(FILE, await format(document, { ...(await resolveConfig(FILE)), filepath: FILE }));
  return baseline;
}
