import { HttpAdapterHost } from '@nestjs/core';
import { Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from '../../../src/app.js';
import { FEATURES } from '../../../src/app.module.js';
import { readConfig } from '../../../src/config.js';
import type { ContractAdapter } from '../../../src/platform/http/contract-adapter.js';
import { readContract } from '../../../src/platform/contract/read-contract.js';
import { stopOnSignals } from '../../../src/platform/http/server/stop-on-signals.js';
import { STOP_SIGNALS } from '../../../src/platform/process/run-command.js';

/** A job that finishes its step before it stops; the first argument is the milliseconds of that step. */
@Injectable()
class Job implements OnModuleDestroy {
  async onModuleDestroy(): Promise<void> {
    process.stdout.write('stopping\n');
    await delay(Number(process.argv[2]));
  }
}

@Module({ providers: [Job] })
class JobModule {}

/** Serves as `main.ts` does, with a job beside the features. The second argument is the contract. Prints the port. */
const config = readConfig();
const app = await createApp(config, { contract: readContract(process.argv[3]!), features: [...FEATURES, JobModule] });
app.enableShutdownHooks(STOP_SIGNALS, { useProcessExit: true });
stopOnSignals(config, app.get<HttpAdapterHost<ContractAdapter>>(HttpAdapterHost).httpAdapter);
const server = await app.listen(0, '127.0.0.1');
process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
