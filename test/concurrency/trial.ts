import { setTimeout as delay } from 'node:timers/promises';
import { repetitions } from '../support/run/effort.js';
import { Customer } from './model/customer.js';
import { Ledger } from './model/ledger.js';
import { type ShopProcess, startShop } from './shop/shop-process.js';

const CLIENTS = 64;
/** Milliseconds: a minute in full. */
const DURATION = repetitions(60) * 1000;
/** Milliseconds between two failures, at most. */
const CALM = 3000;
const KILLS = 4;
/** Outcomes without which a trial proves little, and how many of each. */
const PROOF = { 'POST 201': 100, 'ship 200': 50, 'PATCH 204': 50, 'DELETE 204': 20, 'ship lost': 3, 'POST lost': 3 };

interface Failures {
  /** The environment of each replica of the service. */
  readonly replicas: readonly Readonly<Record<string, string>>[];
  /** Fails something else together with a replica, now and then; resolves when it is back. */
  readonly alsoFail?: () => Promise<void>;
}

/**
 * Lets clients work on replicas that are killed and started again, and returns what the clients know. Rejects when a
 * response contradicts that.
 */
export async function holdTrial(script: string, { replicas, alsoFail }: Failures): Promise<Ledger> {
  const ledger = new Ledger();
  // Undefined while it is dead: another test may get its port meanwhile.
  const running: (ShopProcess | undefined)[] = [];
  // One after the other: the first one migrates.
  for (const env of replicas) running.push(await startShop(script, env));
  let turn = 0;
  const nextReplica = () => running[(turn += 1) % running.length]?.api;
  const end = new AbortController();
  const customers = Array.from({ length: CLIENTS }, () => new Customer(ledger, nextReplica).work(end.signal));
  // A contradiction ends the trial.
  const work = Promise.all(customers).finally(() => end.abort());
  const fail = async (): Promise<void> => {
    const stopAt = Date.now() + DURATION;
    const isDone = (kills: number): boolean => kills >= KILLS && Date.now() >= stopAt && isProof(ledger);
    for (let kill = 0; !isDone(kill) && !end.signal.aborted; kill += 1) {
      await delay(Math.random() * CALM);
      const index = kill % running.length;
      const killed = running[index]!; // each was started again
      running[index] = undefined;
      killed.kill('SIGKILL');
      await Promise.all([killed.exit, kill % 2 === 1 && alsoFail?.()]);
      running[index] = await startShop(script, replicas[index]!);
    }
    end.abort();
  };
  await Promise.all([work, fail()]);
  for (const shop of running) shop?.kill('SIGTERM');
  await Promise.all(running.map(async (shop) => shop?.exit));
  return ledger;
}

function isProof({ tally }: Ledger): boolean {
  return Object.entries(PROOF).every(([outcome, count]) => (tally[outcome] ?? 0) >= count);
}
