import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('../baseline.json', import.meta.url);

const readAll = () => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {});

/** Ratios by workload and peer, separate for each load generator: a slower generator hides differences. */
export const readBaseline = (generator) => readAll()[generator];

export function saveBaseline(generator, ratios) {
  writeFileSync(FILE, `${JSON.stringify({ ...readAll(), [generator]: ratios }, undefined, 2)}\n`);
}
