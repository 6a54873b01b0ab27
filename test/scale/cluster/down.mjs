// `npm run ha:down`: stops and removes what `npm run ha:up` started.
import { Cluster } from './cluster.mjs';
import { run } from './command.mjs';

await run(() => Cluster.find().down());
