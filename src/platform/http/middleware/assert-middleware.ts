import { StartError } from '../../process/start-error.js';
import type { ModuleMiddleware, Mount } from './module-middleware.js';

/** The routes of a service. */
interface Served {
  readonly basePath: string;
  readonly operations: readonly { readonly method: string; readonly path: string }[];
  /** The routes outside of the contract: `GET /live`. */
  readonly others: readonly string[];
}

/** The first segment of a path, if it has no patterns of Express. */
const FIRST_SEGMENT = /^\/(?:([\w.~-]+)(?=\/|\{\/|$)|$)/;

/** A segment without patterns of Express. */
const FIXED = /^[\w.~-]*$/;

/** A segment of parameters and text, which matches one segment of a request. */
const WITH_PARAMETERS = /^[\w.~:-]*$/;

/**
 * Throws a StartError for middleware of a module that certainly runs for no route, or excludes none of its own. Outside of the
 * base path, middleware may answer a path of its own, or that of a route of Express.
 */
export function assertMiddlewareRuns(middleware: readonly ModuleMiddleware[], served: Served): void {
  for (const { names, forRoutes, exclude } of middleware) {
    const subject = `The middleware ${names.join(', ')}`;
    if (names.length > 0 && forRoutes.length === 0) {
      throw new StartError(
        `${subject} would never run, because its module passes no route to forRoutes(); pass a path or a controller, or remove the middleware.`,
      );
    }
    for (const mounts of forRoutes) {
      const fault = commonFault(mounts, served);
      if (fault) {
        const { consequence, reason, instead } = fault;
        throw new StartError(
          `${subject} for ${routeOf(mounts)} would ${consequence}, because ${reason}; pass ${instead} to forRoutes().`,
        );
      }
    }
    for (const mounts of exclude) {
      const fault = commonFault(mounts, served) ?? idleExclusion(mounts, forRoutes.flat(), served);
      if (fault)
        throw new StartError(
          `${subject} excludes ${routeOf(mounts)}, but ${fault.reason}; pass ${fault.instead} to exclude().`,
        );
    }
  }
}

/** The first fault, if each mount of a route has one. */
function commonFault(mounts: readonly Mount[], served: Served): Fault | undefined {
  const faults = mounts.map((mount) => faultOf(mount, served));
  return faults.includes(undefined) ? undefined : faults[0];
}

/** As it was passed, but with the global prefix and the first version. */
function routeOf([mount]: readonly Mount[]): string {
  const { method, path } = mount!; // each route has one
  return method === undefined ? path : `${method} ${path}`;
}

/** The fault of a route that excludes operations, for none of which the middleware would run. */
function idleExclusion(
  mounts: readonly Mount[],
  own: readonly Mount[],
  { basePath, operations }: Served,
): Omit<Fault, 'consequence'> | undefined {
  if (!mounts.every(({ path }) => isBelow(path, basePath))) return undefined;
  const excluded = operations.filter((operation) => mounts.some((mount) => mayMatch(mount, operation)));
  if (excluded.some((operation) => own.some((mount) => mayMatch(mount, operation)))) return undefined;
  return { reason: 'would not run there anyway', instead: 'a route that forRoutes() covers' };
}

interface Fault {
  readonly consequence: string;
  readonly reason: string;
  /** What to pass. */
  readonly instead: string;
}

function faultOf(mount: Mount, { basePath, operations, others }: Served): Fault | undefined {
  if (isBelow(mount.path, basePath)) {
    if (operations.some((operation) => mayMatch(mount, operation))) return undefined;
    return {
      consequence: 'run for no operation',
      reason: 'no operation has this path and method',
      instead: 'what openapi.yaml declares',
    };
  }
  if (others.some((other) => isSameSegment(mount.path, other.slice(other.indexOf('/'))))) return undefined;
  const whole = wholePath(mount.path, operations, basePath);
  return whole === undefined
    ? undefined
    : { consequence: 'never run', reason: 'no route has this path', instead: whole };
}

function isBelow(path: string, basePath: string): boolean {
  const segments = path.split('/');
  return basePath.split('/').every((segment, index) => isSame(segments[index], segment));
}

/** False only if no request for the operation can match: what a pattern matches beyond single segments is not followed. */
function mayMatch({ path, method, isPrefix }: Mount, operation: Served['operations'][number]): boolean {
  if (method !== undefined && !isServed(method, operation.method)) return false;
  const segments = path.replace(/\/+$/, '').split('/');
  const declared = operation.path.split('/');
  for (const [index, segment] of segments.entries()) {
    if (!WITH_PARAMETERS.test(segment)) return true;
    const other = declared[index];
    if (other === undefined) return false;
    if (FIXED.test(segment) && FIXED.test(other) && !isSame(segment, other)) return false;
  }
  return isPrefix || segments.length === declared.length;
}

/** HEAD and OPTIONS are answered by the service itself. */
function isServed(method: string, declared: string): boolean {
  return method === declared || method === 'OPTIONS' || (method === 'HEAD' && declared === 'GET');
}

/** Whether the path of a route cannot match one of the contract. */
export function isElsewhere(path: unknown, basePath: string): boolean {
  if (Array.isArray(path)) return path.every((one) => isElsewhere(one, basePath));
  const found = typeof path === 'string' ? FIRST_SEGMENT.exec(path) : null;
  return found !== null && !isSameSegment(`/${found[1] ?? ''}`, basePath);
}

/** The path with the segments that it lacks before its first one, if that one follows them in the path of an operation. */
function wholePath(path: string, operations: Served['operations'], basePath: string): string | undefined {
  if (!isElsewhere(path, basePath)) return undefined;
  const deepest = basePath.split('/').length;
  for (const operation of operations) {
    const segments = operation.path.split('/');
    for (let index = 2; index <= deepest; index += 1) {
      if (isSameSegment(path, `/${segments[index]}`)) return `${segments.slice(0, index).join('/')}${path}`;
    }
  }
  return undefined;
}

/** Compares the first segments. */
function isSameSegment(path: string, other: string): boolean {
  return isSame(path.split('/')[1], other.split('/')[1]);
}

/** Express ignores case. */
function isSame(one: string | undefined, other: string | undefined): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}
