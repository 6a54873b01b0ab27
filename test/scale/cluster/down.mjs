// `npm run ha:down`: stops what `npm run ha:up` has started, and removes all of it.
import { Cluster } from './cluster.mjs';
import { run } from './command.mjs';

await run(() => Cluster.find().down());
