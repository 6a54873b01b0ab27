// `npm run ha:down`: stops what `npm run ha:up` has started, and removes all of it.
import { Cluster, run } from './cluster.mjs';

await run(() => Cluster.find().down());
