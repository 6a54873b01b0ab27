import { comparisonChart } from '../report/comparison-chart.mjs';
import { comparisonTable } from '../report/comparison-table.mjs';
import { everyCombination, openSession } from './session.mjs';

export async function compare(bench, options, progress) {
  const session = await openSession(bench, { ...options, pairs: everyCombination(options) }, progress);
  const { rounds, seconds } = options;
  const results = session.summarise(await session.load({ rounds, seconds }));
  await session.close();
  results.conditions = { ...results.conditions, rounds, seconds };
  return { results, text: comparisonTable(results), chart: comparisonChart(results), passed: true };
}
