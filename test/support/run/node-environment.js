import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';
import { installPackages } from './packages/load-package.js';

const used = new Set();
const run = Reflect.get(AsyncLocalStorage.prototype, 'run');

AsyncLocalStorage.prototype.run = function (...args) {
  used.add(this);
  return run.apply(this, args);
};

/**
 * Jest's environment, with large packages in one script. It disables each AsyncLocalStorage when the test file ends: Jest creates
 * one per file and never disables it, and until Node 24 each that is enabled makes every promise of the process slower.
 */
export default class NodeEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    installPackages(this.getVmContext(), this.global);
  }

  async teardown() {
    for (const storage of used) storage.disable();
    used.clear();
    await super.teardown();
  }
}
