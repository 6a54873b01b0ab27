import type { DataSource } from 'typeorm';
import { StartError } from '../process/start-error.js';

/** Members of a DataSource that lead to no statement, no other schema and no end of the connection. */
const HARMLESS = new Set<string | symbol>(['hasMetadata', 'isInitialized', 'name', 'options']);

/**
 * The DataSource as features get it. On SQLite, TypeORM rounds int64 and shares its one connection, with any open
 * transaction, among all requests (ADR 4). On both engines its statements change rows that never change, and do not
 * belong to a request with an Idempotency-Key. So every member throws, except those that cannot lead there.
 */
export function withoutRepositories(dataSource: DataSource): DataSource {
  return new Proxy(dataSource, {
    get(target, property) {
      // Nest asks each provider for hooks that it may not have, and every object has a constructor.
      const isOwn = property in target && !(property in Object.prototype) && typeof property === 'string';
      if (isOwn && !HARMLESS.has(property)) throw new StartError(refusal(property));
      const value: unknown = Reflect.get(target, property);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function refusal(member: string): string {
  return `TypeORM's "${member}" breaks promises of the tables, such as exact int64 and transactions of one request each; import DatabaseModule.forFeature(Entity), and inject its table with @InjectTable(Entity) and the transactions of Database instead.`;
}
