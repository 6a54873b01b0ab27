import type { DataSource } from 'typeorm';
import { placeInSource } from '../process/place-in-source.js';
import { StartError } from '../process/start-error.js';

/** Members of a DataSource that lead to no statement, no other schema and no end of the connection. */
const HARMLESS = new Set<string | symbol>(['hasMetadata', 'isInitialized', 'name', 'options']);

/**
 * The DataSource as features get it. On SQLite, TypeORM rounds int64 and shares its one connection, with any open
 * transaction, among all requests (ADR 4). On both engines its statements may change @AppendOnly() rows, and do not
 * belong to a request with an Idempotency-Key. So calling a member throws, unless it cannot lead there. Reading one
 * does not: packages read the members of each provider to find decorated methods.
 */
export function withoutRepositories(dataSource: DataSource): DataSource {
  return new Proxy(dataSource, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property);
      if (HARMLESS.has(property)) return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      // Every object has a constructor and the like.
      if (typeof property === 'symbol' || property in Object.prototype) return value;
      return withoutCalls(value, property);
    },
  });
}

/** What `member` of the DataSource leads to, of which only functions do anything. */
function withoutCalls(value: unknown, member: string): unknown {
  if (typeof value === 'function') {
    return function refused(): never {
      throw new StartError(refusal(member));
    };
  }
  if (typeof value !== 'object' || value === null) return value;
  // The target is empty: a proxy must return the frozen members of its target as they are.
  return new Proxy(Object.create(Object.getPrototypeOf(value) as object | null) as object, {
    get: (_, property) => {
      const found: unknown = Reflect.get(value, property);
      return property in Object.prototype ? found : withoutCalls(found, member);
    },
  });
}

/** The first line of a stack that names a class of the application, which has called: `at new PetsService (file...)`. */
const CALLER = /^ +at (?:async )?(?:new (\w+)|(\w+)\.(\w+)) /gm;

/** Where a class of the sources calls; undefined where only packages do. */
function callerOf({ stack = '' }: Error): string | undefined {
  for (const [, made, type = made, method] of stack.matchAll(CALLER)) {
    const place = type === undefined ? undefined : knownPlace(type, method);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Kept, because requests may call as well, and each search reads all sources. */
const places = new Map<string, string | undefined>();

function knownPlace(type: string, method: string | undefined): string | undefined {
  const key = `${type}.${method}`;
  if (!places.has(key)) places.set(key, placeInSource(type, method));
  return places.get(key);
}

function refusal(member: string): string {
  const place = callerOf(new Error());
  return `${place === undefined ? '' : `${place} `}TypeORM's "${member}" breaks promises of the tables, such as exact int64 and transactions of one request each; import DatabaseModule.forFeature(Entity), and inject its table with @InjectTable(Entity) and the transactions of Database instead.`;
}
