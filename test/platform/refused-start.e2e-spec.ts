import { beforeEach, describe, expect, it } from '@jest/globals';
import { Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { startApp, startRefusal } from '../support/start-app.js';

/** A service may have other operations as well. */
const REFUSAL = /^FILE:1:1 No controller handles listPets .+; add a handler, or remove the operation here\.$/;

let events: string[];

beforeEach(() => {
  events = [];
});

@Module({})
class Feature implements OnApplicationBootstrap, OnApplicationShutdown {
  onApplicationBootstrap(): void {
    events.push('start');
  }

  onApplicationShutdown(): void {
    events.push('stop');
  }
}

@Module({})
class Unstoppable implements OnApplicationShutdown {
  onApplicationShutdown(): void {
    throw new Error('never started');
  }
}

describe('a start that is refused', () => {
  it('stops what its modules have started', async () => {
    expect(await startRefusal(startApp({}, { features: [Feature] }))).toMatch(REFUSAL);
    expect(events).toEqual(['start', 'stop']);
  });

  it('says why, even if a module cannot be stopped', async () => {
    expect(await startRefusal(startApp({}, { features: [Unstoppable] }))).toMatch(REFUSAL);
  });
});
