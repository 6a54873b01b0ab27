import type { DataSource } from 'typeorm';
import { StartError } from '../process/start-error.js';

/** Members of a DataSource that run or lead to TypeORM's statements, change the schema or end the connection. */
const REFUSED = new Set<string | symbol>([
  'manager',
  'getRepository',
  'getTreeRepository',
  'createEntityManager',
  'createQueryBuilder',
  'createQueryRunner',
  'query',
  'sql',
  'transaction',
  'driver',
  'synchronize',
  'dropDatabase',
  'runMigrations',
  'undoLastMigration',
  'destroy',
]);

/**
 * The DataSource as features get it. On SQLite, TypeORM rounds int64 and shares its one connection, with any open
 * transaction, among all requests (ADR 4). On both engines its statements change rows that never change, and do not
 * belong to a request with an Idempotency-Key. So the members that lead there throw.
 */
export function withoutRepositories(dataSource: DataSource): DataSource {
  return new Proxy(dataSource, {
    get(target, property) {
      if (REFUSED.has(property)) throw new StartError(refusal(String(property)));
      const value: unknown = Reflect.get(target, property);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function refusal(member: string): string {
  return `TypeORM's "${member}" breaks promises of the tables, such as exact int64 and transactions of one request each; import DatabaseModule.forFeature(Entity), and inject its table with @InjectTable(Entity) and the transactions of Database instead.`;
}
