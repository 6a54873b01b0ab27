import type { DataSource } from 'typeorm';
import { StartError } from '../process/start-error.js';
import { databaseFault } from './database-fault.js';
import type { ServedDatabase } from './served/served-database.js';
import { isInsideTransaction } from './transactions/transaction-scope.js';

/** The ways from a DataSource to a repository, a query builder or a transaction of TypeORM. */
const REFUSED = new Set<string | symbol>([
  'manager',
  'getRepository',
  'getTreeRepository',
  'createEntityManager',
  'createQueryBuilder',
  'createQueryRunner',
  'transaction',
  'sql',
]);

const INSIDE =
  'Inside of a transaction, use its tables: transaction.table(Entity); a query of the DataSource is no part of it';

/** Statements that begin or end a transaction, after blanks and comments. */
const TRANSACTION =
  /^(?:\s|;|--.*|\/\*[^]*?\*\/)*(?:BEGIN|START|SAVEPOINT|COMMIT|END|ROLLBACK|ABORT|RELEASE|PREPARE\s+TRANSACTION)\b/i;

/**
 * The DataSource as features get it. On SQLite, TypeORM rounds int64 and shares its one connection, with any open
 * transaction, among all requests (ADR 4); so what leads there throws. `query` runs single statements outside of
 * transactions, and its errors are those of the tables.
 */
export function withoutRepositories(database: ServedDatabase): DataSource {
  const { dataSource } = database;
  const query: DataSource['query'] = async (statement, ...rest) => {
    if (isInsideTransaction()) throw new Error(INSIDE);
    if (TRANSACTION.test(statement)) throw new Error(refusal(statement));
    if (!database.isOpen) throw database.unavailable();
    try {
      return await dataSource.query(statement, ...rest);
    } catch (error) {
      throw databaseFault(error, dataSource);
    }
  };
  return new Proxy(dataSource, {
    get(target, property) {
      if (REFUSED.has(property)) throw new StartError(refusal(String(property)));
      if (property === 'query') return query;
      const value: unknown = Reflect.get(target, property);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function refusal(member: string): string {
  return `TypeORM's "${member}" rounds int64 and shares transactions among requests on SQLite; import DatabaseModule.forFeature(Entity), and inject its table with @InjectTable(Entity) and the transactions of Database instead.`;
}
