import type { Contract, Operation } from '../../contract/contract.js';
import { targetPath } from '../http/exchange.js';

export interface Match {
  /** Whether the target is below the base path. */
  readonly belowBase: boolean;
  /** The methods allowed on the path, including HEAD and OPTIONS; empty for an unknown path. */
  readonly methods: readonly string[];
  readonly operation?: Operation | undefined;
  readonly pathParameters: Readonly<Record<string, string>>;
}

const NOWHERE: Match = { belowBase: false, methods: [], pathParameters: {} };

/** Finds the operation of a request; HEAD matches GET. */
export function matchTarget(contract: Contract, method: string, target: string): Match {
  const path = targetPath(target);
  const { basePath } = contract;
  if (path !== basePath && !path.startsWith(`${basePath}/`)) return NOWHERE;

  const candidates = contract.operations.flatMap((operation) => {
    const pathParameters = matchPath(basePath + operation.path, path);
    return pathParameters ? [{ operation, pathParameters, parameterCount: Object.keys(pathParameters).length }] : [];
  });
  // OpenAPI: concrete paths are matched before templated ones.
  const fewest = Math.min(...candidates.map(({ parameterCount }) => parameterCount));
  const matches = candidates.filter(({ parameterCount }) => parameterCount === fewest);
  const methods = matches.map(({ operation }) => operation.method);
  const found = matches.find(({ operation }) => operation.method === (method === 'HEAD' ? 'GET' : method));
  return {
    belowBase: true,
    methods: methods.length === 0 ? [] : [...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])],
    operation: found?.operation,
    pathParameters: found?.pathParameters ?? {},
  };
}

function matchPath(template: string, path: string): Record<string, string> | undefined {
  const steps = template.split('/');
  const segments = path.split('/');
  if (steps.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [i, step] of steps.entries()) {
    const name = /^\{(.+)\}$/.exec(step)?.[1];
    const segment = segments[i]!;
    if (name === undefined ? step !== segment : segment === '') return undefined;
    if (name !== undefined) parameters[name] = decoded(segment);
  }
  return parameters;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
