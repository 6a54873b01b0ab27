// `npm run ha:trial -- --rounds N`: kills the leader while clients create pets, and counts what became of the pets that
// were answered with 201. Exits with 1 when one is lost, when an answer is late, or when it is neither 201 nor 503 with
// Retry-After. Expects `npm run ha:up` and a build.
import { parseArgs } from 'node:util';
import { Cluster } from './cluster.mjs';
import { run } from './command.mjs';
import { comeBack, failOver, LATE, onService } from './fail-over.mjs';

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

await run(async () => {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '1' } } });
  const cluster = Cluster.find();
  await onService(cluster, async (target) => {
    for (let number = 1; number <= Number(values.rounds); number += 1) {
      const { leader, acknowledged, lost, withoutWrites, refused, impatient, others, slowest } = await failOver(
        cluster,
        target,
      );
      process.stdout.write(
        `${leader} killed: ${acknowledged} pets acknowledged, ${lost} lost; ${seconds(withoutWrites)} without writes; ` +
          `${refused} answers 503, ${impatient} without Retry-After; ${others} others; ` +
          `slowest answer ${seconds(slowest)}\n`,
      );
      if (lost + impatient + others > 0 || slowest >= LATE) process.exitCode = 1;
      const time = await comeBack(cluster, leader);
      process.stdout.write(`${leader} started again: it follows after ${seconds(time)}\n`);
    }
  });
});
