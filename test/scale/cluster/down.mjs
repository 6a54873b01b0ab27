import { readArguments } from '../../../tools/read-arguments.mjs';
import { Cluster } from './cluster.mjs';
import { run } from './command.mjs';

readArguments(`Usage: npm run ha:down -- [--help]

Stops and removes what \`npm run ha:up\` started.

  --help  print this help
`);

await run(() => Cluster.find().down());
