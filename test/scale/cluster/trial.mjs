import { buildService } from '../../../tools/build-service.mjs';
import { readArguments, wholeNumber } from '../../../tools/read-arguments.mjs';
import { Cluster } from './cluster.mjs';
import { run } from './command.mjs';
import { comeBack, failOver, LATE, onService } from './service/fail-over.mjs';

const HELP = `Usage: npm run ha:trial -- [--rounds N]

Kills the leader while clients create and read pets, and checks the pets that were acknowledged with 201. Exits with 1 when
one is lost, when the standby was never read, when no creation succeeds again, or when a response is late or neither a
success nor 503 with Retry-After. Requires \`npm run ha:up\`.

  --rounds N  how often the leader is killed (default 1)
  --help      print this help
`;

const { values } = readArguments(HELP, { options: { rounds: { type: 'string', default: '1' } } });
const rounds = wholeNumber('rounds', values.rounds, { most: 1_000_000 });

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;
const described = ({ unavailable, notRetryable, others, slowest }) =>
  `${unavailable} responses with 503, ${notRetryable} without Retry-After; ${others} other failures; ` +
  `slowest response ${seconds(slowest)}`;
const isKept = ({ notRetryable, others, slowest }) => notRetryable + others === 0 && slowest < LATE;

await run(async () => {
  const cluster = Cluster.find();
  buildService();
  await onService(cluster, async (target) => {
    for (let number = 1; number <= rounds; number += 1) {
      const { leader, creations, reads } = await failOver(cluster, target);
      const { lost, repeated, twice, withoutWrites } = creations;
      const { byStandby, missing } = reads;
      process.stdout.write(
        `${leader} killed: ${creations.succeeded} pets acknowledged, ${lost} lost, ${repeated} repeated with their key, ${twice} stored twice; ${seconds(withoutWrites)} without ` +
          `writes; ${described(creations)}\n` +
          `  ${reads.succeeded} reads, ${byStandby} by the standby before the kill; ${missing} pets not found; ${described(reads)}\n`,
      );
      if (lost + twice > 0 || byStandby === 0 || ![creations, reads].every(isKept)) process.exitCode = 1;
      const time = await comeBack(cluster, leader);
      process.stdout.write(`${leader} restarted: it is the standby after ${seconds(time)}\n`);
    }
  });
});
