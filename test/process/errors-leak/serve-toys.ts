import type { AddressInfo } from 'node:net';
import { createApp } from '../../../src/app.js';
import { readConfig } from '../../../src/config.js';
import { readContract } from '../../../src/platform/contract/read-contract.js';
import { TOYS_CONTRACT } from '../../platform/nest/toys/toys-contract.js';
import { ToysModule } from '../../platform/nest/toys/toys.module.js';

/** Serves the toys in a separate process, configured by its environment. Prints the port on standard output. */
const app = await createApp(readConfig(), { contract: readContract(TOYS_CONTRACT), features: [ToysModule] });
app.enableShutdownHooks(['SIGTERM'], { useProcessExit: true });
const server = await app.listen(0, '127.0.0.1');
process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
