import { Injectable, Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../../src/app.js';
import { FEATURES } from '../../../src/app.module.js';
import { readConfig } from '../../../src/config.js';
import { readContract } from '../../../src/platform/contract/read-contract.js';

/** Whether the start fails, so that the module waits while it stops. */
const isFailing = process.argv[3] === 'failing';

/** Waits for a signal, as a feature waits for a service that does not answer, and keeps the process running meanwhile. */
@Injectable()
class Waiting implements OnModuleInit, OnModuleDestroy {
  async onModuleInit(): Promise<void> {
    if (isFailing) throw new Error('There is no broker.');
    await this.#wait();
  }

  async onModuleDestroy(): Promise<void> {
    if (isFailing) await this.#wait();
  }

  async #wait(): Promise<void> {
    const timer = setInterval(() => undefined, 60_000);
    await once(process, 'SIGUSR2');
    clearInterval(timer);
  }
}

@Module({ providers: [Waiting] })
class WaitingModule {}

/** Serves the features once it has got SIGUSR2. The arguments are the contract, and perhaps `failing`. Prints the port. */
const contract = readContract(process.argv[2]!);
const app = await createApp(readConfig(), { contract, features: [...FEATURES, WaitingModule] });
const server = await app.listen(0, '127.0.0.1');
process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
