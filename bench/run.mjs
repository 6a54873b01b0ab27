import { mkdirSync, writeFileSync } from 'node:fs';
import { createBench } from './bench.mjs';
import { compare } from './modes/compare.mjs';
import { curve } from './modes/curve.mjs';
import { growth } from './modes/growth.mjs';
import { readOptions } from './options.mjs';
import { createProgress } from './progress.mjs';
import { quick } from './modes/quick.mjs';

const MODES = { compare, curve, quick, growth };
const RESULTS = new URL('results/', import.meta.url);

function report({ mode, engine, json }, { results, text, chart }, progress) {
  if (chart !== undefined) {
    const name = engine === 'sqlite' ? `${mode}.svg` : `${mode}-${engine}.svg`;
    mkdirSync(RESULTS, { recursive: true });
    writeFileSync(new URL(name, RESULTS), chart);
    progress.say(`Chart: bench/results/${name}`);
  }
  const document = `${JSON.stringify(results, undefined, 2)}\n`;
  if (json !== undefined && json !== '-') writeFileSync(json, document);
  process.stdout.write(json === '-' ? document : `\n${text}\n`);
}

async function run(options) {
  const progress = createProgress();
  const bench = await createBench(options, progress);
  const outcome = await MODES[options.mode](bench, options, progress);
  await bench.databases.close();
  report(options, outcome, progress);
  if (!outcome.passed) process.exitCode = 1;
}

const options = readOptions();
try {
  await run(options);
} catch (error) {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
}
