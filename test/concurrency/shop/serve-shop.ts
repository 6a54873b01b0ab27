import type { AddressInfo } from 'node:net';
import { createApp } from '../../../src/app.js';
import { readConfig } from '../../../src/config.js';
import { readContract } from '../../../src/platform/contract/read-contract.js';
import { createShopDataSource } from './shop-data-source.js';
import { ShopModule } from './shop.module.js';

/** Serves the shop, configured by the environment. Its argument is the contract. Prints the port on standard output. */
const app = await createApp(readConfig(), {
  contract: readContract(process.argv[2]!),
  features: [ShopModule],
  createDataSource: createShopDataSource,
});
const server = await app.listen(0, '127.0.0.1');
process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
