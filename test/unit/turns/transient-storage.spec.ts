import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TransientStorage } from '../../../src/platform/process/transient-storage.js';

let storage: TransientStorage<string>;
const disable = jest.spyOn(AsyncLocalStorage.prototype, 'disable');

beforeEach(() => {
  storage = new TransientStorage();
  disable.mockClear();
});

afterEach(() => nextTurn());

describe('a transient storage', () => {
  it('passes the store to everything that the work starts, and to nothing else', async () => {
    const seen = storage.enter('one', async () => {
      await nextTurn();
      return storage.current;
    });
    expect(storage.current).toBeUndefined();
    expect(await seen).toBe('one');
    storage.leave();
  });

  it('is disabled at the end of the turn in which its last user leaves', async () => {
    storage.enter('one', () => undefined);
    storage.enter('two', () => undefined);
    storage.leave();
    await nextTurn();
    expect(disable).not.toHaveBeenCalled();
    storage.leave();
    expect(disable).not.toHaveBeenCalled();
    await nextTurn();
    expect(disable).toHaveBeenCalledTimes(1);
  });

  it('stays enabled for a user who enters before the turn ends', async () => {
    storage.enter('one', () => undefined);
    storage.leave();
    const seen = storage.enter('two', async () => {
      await nextTurn();
      await nextTurn();
      return storage.current;
    });
    expect(await seen).toBe('two');
    expect(disable).not.toHaveBeenCalled();
    storage.leave();
  });

  it('has no store for work that outlives its last user', async () => {
    const seen = storage.enter('one', async () => {
      await nextTurn();
      return storage.current;
    });
    storage.leave();
    expect(await seen).toBeUndefined();
  });
});
