import type { Config } from '../../../../src/config.js';
import { startApp } from '../../../support/start-app.js';
import type { StartedApp, StartOptions } from '../../../support/start-app.js';
import { TOYS_CONTRACT } from './toys-contract.js';
import { ToysModule } from './toys.module.js';

/** Starts the application with toys instead of pets. */
export function startToys(overrides?: Partial<Config>, options?: StartOptions): Promise<StartedApp> {
  return startApp(overrides, { contractFile: TOYS_CONTRACT, features: [ToysModule], ...options });
}
