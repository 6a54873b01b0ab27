import { describe, expect, it } from '@jest/globals';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { ByteBudget } from '../../../src/platform/http/load/byte-budget.js';
import { ClientConnection, type WaitingExchange } from '../../../src/platform/http/load/client-connection.js';

const LIMIT = 10_000;

function connect() {
  const budget = new ByteBudget(LIMIT, () => []);
  const connection = new ClientConnection(new Socket().destroy(), budget, budget);
  /** Whether the whole budget is left, and not more. */
  const isAllLeft = () => budget.hasRoomFor(LIMIT) && !budget.hasRoomFor(LIMIT + 1);
  const wait = (bytes: number) => {
    budget.take(bytes);
    connection.waiting.push({ bytes, budget, refusals: '' } as WaitingExchange);
  };
  return { budget, connection, isAllLeft, wait };
}

describe('the memory of a connection', () => {
  it('is that of a body until its response has ended', () => {
    const { budget, connection, isAllLeft } = connect();
    expect(connection.memory.startBody(1000, () => undefined)).toBe(true);
    expect(connection.memory.hold(1000)).toBe(true);
    connection.memory.endBody();
    expect(budget.hasRoomFor(LIMIT - 1000)).toBe(false);
    connection.endExchange(new ServerResponse(new IncomingMessage(new Socket())));
    expect(isAllLeft()).toBe(true);
  });

  it('releases everything when it closes, and holds nothing after that', () => {
    const { connection, isAllLeft, wait } = connect();
    connection.memory.startBody(1000, () => undefined);
    connection.memory.hold(1000);
    wait(500);
    wait(500);
    connection.close();
    expect(isAllLeft()).toBe(true);
    expect([connection.memory.hold(1000), isAllLeft()]).toEqual([false, true]);
  });

  it('releases unsent bytes only once when it has given them up', () => {
    const { connection, isAllLeft } = connect();
    connection.memory.addUnsent(1000);
    expect(isAllLeft()).toBe(false);
    connection.memory.giveUp();
    connection.memory.releaseUnsent(1000);
    expect(isAllLeft()).toBe(true);
  });

  it('holds refusals until they are sent', () => {
    const { budget, connection, isAllLeft } = connect();
    connection.addRefusal('x'.repeat(1000));
    expect(budget.hasRoomFor(LIMIT - 1000 + 1)).toBe(false);
    connection.sendRefusals();
    expect(isAllLeft()).toBe(true);
  });

  it('takes no refusals beyond the budget, and releases them when it closes', () => {
    const { connection, isAllLeft, wait } = connect();
    wait(1000);
    while (connection.takesRefusals) connection.addRefusal('x'.repeat(1000));
    expect(connection.bytesAtClient).toBeGreaterThanOrEqual(LIMIT - 1000);
    const refusals = connection.waiting.map((exchange) => exchange.refusals).join('');
    connection.close();
    expect([refusals.length, isAllLeft()]).toEqual([9000, true]);
  });

  it('rejects the body that a client loses', () => {
    const { connection, isAllLeft } = connect();
    let isRejected = false;
    connection.memory.startBody(1000, () => (isRejected = true));
    connection.memory.hold(1000);
    expect(connection.memory.bytesAtClient).toBeGreaterThanOrEqual(1000);
    connection.memory.giveUp();
    expect([isRejected, connection.memory.bytesAtClient, isAllLeft()]).toEqual([true, 0, true]);
  });

  it('has no room for a body beyond the budget', () => {
    const { connection } = connect();
    expect([connection.memory.startBody(LIMIT + 1, () => undefined), connection.memory.hold(LIMIT)]).toEqual([
      false,
      false,
    ]);
  });
});
