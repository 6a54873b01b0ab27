import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/built-service.js';

/** Milliseconds for a few starts and possibly the build, on a busy machine. */
export const TIME = 240_000;

/** The path of a database file that does not exist yet, in a new directory. */
export const newDatabaseFile = (): string => join(temporaryDirectory(), 'pets.sqlite');

/** Listens on a port of the loopback interface during `work`. */
export async function withOccupiedPort<T>(work: (port: number) => Promise<T>): Promise<T> {
  const occupant = createServer().listen(0, '127.0.0.1');
  await once(occupant, 'listening');
  try {
    return await work((occupant.address() as AddressInfo).port);
  } finally {
    occupant.close();
  }
}
