import type { AddressInfo } from 'node:net';
import { createApp } from '../../../src/app.js';
import { readConfig } from '../../../src/config.js';
import { readContract } from '../../../src/platform/contract/read-contract.js';
import { TOYS_CONTRACT } from '../../platform/nest/toys/toys-contract.js';
import { ToysModule } from '../../platform/nest/toys/toys.module.js';

/** A process of its own with the toys, configured by its environment. Says its port on standard output. */
const app = await createApp(readConfig(), { contract: readContract(TOYS_CONTRACT), features: [ToysModule] });
app.enableShutdownHooks(['SIGTERM'], { useProcessExit: true });
const server = await app.listen(0, '127.0.0.1');
process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
