import { readArguments } from '../../../tools/read-arguments.mjs';
import { Cluster } from './cluster.mjs';
import { run } from './command.mjs';

readArguments(`Usage: npm run ha:up -- [--help]

Starts a highly available PostgreSQL on loopback and leaves it running.

  --help  print this help
`);

await run(async () => {
  const { writeUrl, readUrl } = await Cluster.up();
  process.stdout.write(
    `  export DATABASE_URL=${writeUrl}\n  export DATABASE_READ_URL=${readUrl}\n` +
      '  npm run migrate\n  npm start\n\n' +
      '"npm run ha:trial" kills the leader and counts lost pets; "npm run ha:down" stops and removes everything.\n',
  );
});
