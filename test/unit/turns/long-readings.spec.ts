import { beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LongReadings } from '../../../src/platform/http/load/long-readings.js';
import { atEndOfTurn, awaitMoreChanges } from '../../../src/platform/process/end-of-turn.js';

/** Ends the turn of the test before. */
beforeEach(async () => {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
});

/** In which order a turn with so many requests does its work and Node finishes reading. */
async function orderOf(readings: LongReadings, requests: number, now: number): Promise<string[]> {
  const events: string[] = [];
  setImmediate(() => events.push('everything is read'));
  start(readings, requests, now, () => events.push('work'));
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  return events;
}

function start(readings: LongReadings, requests: number, now: number, work: () => void): void {
  atEndOfTurn('respond', work);
  for (let request = 0; request < requests; request += 1) readings.addRequest(now);
}

/** Until the callback that Node runs, and the work behind it, have ended: Node has more to read. */
async function readOn(): Promise<void> {
  await new Promise((resolve) => {
    process.nextTick(resolve);
  });
  for (let step = 0; step < 20; step += 1) await Promise.resolve();
}

describe('the work of a turn', () => {
  it('waits until Node has read everything', async () => {
    expect(await orderOf(new LongReadings(), 511, 1000)).toEqual(['everything is read', 'work']);
  });

  it('does not wait for that when the turn has 512 requests', async () => {
    expect(await orderOf(new LongReadings(), 512, 1000)).toEqual(['work', 'everything is read']);
  });

  it('waits for it within 100 ms after a new connection', async () => {
    const readings = new LongReadings();
    const now = performance.now();
    readings.addConnection();
    expect(await orderOf(readings, 512, now)).toEqual(['everything is read', 'work']);
    expect(await orderOf(readings, 512, performance.now() + 100)).toEqual(['work', 'everything is read']);
  });

  it('is done after 100 ms without another connection, although 512 requests have started before', async () => {
    const events: string[] = [];
    const readings = new LongReadings();
    const now = performance.now();
    readings.addConnection();
    setImmediate(() => events.push('everything is read'));
    start(readings, 512, now, () => events.push('work'));
    readings.addRequest(performance.now() + 100);
    await nextTurn();
    await nextTurn();
    expect(events).toEqual(['work', 'everything is read']);
  });

  it('is not delayed by a change of the turn before', async () => {
    const events: string[] = [];
    setImmediate(() => events.push('everything is read'));
    start(new LongReadings(), 512, 1000, () => events.push('work'));
    awaitMoreChanges();
    await readOn();
    atEndOfTurn('respond', () => events.push('later work'));
    setImmediate(() => events.push('later reading'));
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    expect(events).toEqual(['work', 'everything is read', 'later work', 'later reading']);
  });

  it('is done before Node has read everything for 250 ms', async () => {
    const events: string[] = [];
    const readings = new LongReadings();
    setImmediate(() => events.push('everything is read'));
    for (const [now, name] of [
      [1000, 'first'],
      [1249, 'second'],
      [1250, 'third'],
    ] as const) {
      start(readings, 512, now, () => events.push(name));
      await readOn();
    }
    await nextTurn();
    await nextTurn();
    expect(events).toEqual(['first', 'second', 'everything is read', 'third']);
    expect(await orderOf(readings, 512, 1300)).toEqual(['work', 'everything is read']);
  });
});
