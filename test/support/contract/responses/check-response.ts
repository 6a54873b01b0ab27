import { readContract } from '../../../contract/contract.js';
import { choosesMediaType } from '../../../contract/chosen-media-types.js';
import type { Contract } from '../../../contract/contract.js';
import { declaredResponses } from './declared-responses.js';
import type { DeclaredResponse } from './declared-responses.js';
import { targetPath } from '../../http/exchange.js';
import type { CheckExchange, Exchange } from '../../http/exchange.js';
import { missingHeaders, commonViolations } from './header-violations.js';
import { matchTarget } from '../match-target.js';
import type { Match } from '../match-target.js';
import { contentViolations, responseViolations } from './response-violations.js';

export interface CheckerOptions {
  readonly contract?: Contract;
  readonly cors?: boolean;
  /** Called for each response that conforms to the contract. */
  readonly passed?: (exchange: Exchange, match: Match, by: DeclaredResponse['of']) => void;
}

/** A check that throws an error with the request and the differences when a response violates the contract. */
export function responseChecker({
  contract = readContract(),
  cors = false,
  passed,
}: CheckerOptions = {}): CheckExchange {
  return (exchange) => {
    const { method, target, response } = exchange;
    const match = matchTarget(contract, method ?? '', target ?? '');
    if (isOutside(exchange, match) && response.status < 400) return;
    const candidates = declaredResponses(contract, match, exchange);
    const verdicts = candidates.map((candidate) => violations(exchange, match, candidate, cors));
    const fitting = candidates.find((_, i) => verdicts[i]!.length === 0);
    if (fitting) return passed?.(exchange, match, fitting.of);
    if (isReadiness(exchange)) return;
    const differences = verdicts[0] ?? undeclared(contract, exchange, match);
    if (differences.length === 0) return;
    throw new Error(
      `${method ?? 'unreadable'} ${target ?? 'request'} returned ${response.status}: ${differences.join('; ')}`,
    );
  };
}

function violations(exchange: Exchange, match: Match, { declared, of }: DeclaredResponse, cors: boolean): string[] {
  const { response, method } = exchange;
  const isHead = method === 'HEAD';
  // Pages outside the contract, such as the documentation, may have undeclared headers.
  if (isOutside(exchange, match)) {
    return [
      ...commonViolations(response),
      ...missingHeaders(response, declared),
      ...contentViolations(response, declared, isHead),
    ];
  }
  return [
    ...responseViolations(response, declared, {
      isHead,
      cors,
      choosesMediaType: match.operation !== undefined && choosesMediaType(match.operation),
    }),
    ...(of === 'protocol' ? allowViolations(response.headers.allow, match.methods) : []),
  ];
}

function allowViolations(allow: readonly string[] | undefined, methods: readonly string[]): string[] {
  if (!allow) return [];
  const actual = allow.join(', ').split(/, */).toSorted().join(', ');
  const expected = methods.toSorted().join(', ');
  return actual === expected ? [] : [`Allow names ${actual} instead of ${expected}`];
}

function undeclared(contract: Contract, exchange: Exchange, match: Match): string[] {
  const { response, method } = exchange;
  const error = contract.protocolResponses[404];
  if (isOutside(exchange, match)) return error ? contentViolations(response, error, method === 'HEAD') : [];
  return [`the contract does not declare this status for ${match.operation?.name ?? 'such a request'}`];
}

function isOutside({ method, target }: Exchange, match: Match): boolean {
  return method !== undefined && target !== undefined && !match.belowBase;
}

// The only error without an Error body: `/ready` reports its checks.
function isReadiness({ method, target, response }: Exchange): boolean {
  if (target === undefined || targetPath(target) !== '/ready' || response.status !== 503) return false;
  return method === 'HEAD' || response.text.startsWith('{"status":"not ready","checks":{');
}
