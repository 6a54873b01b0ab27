import { readContract } from '../../contract/contract.js';
import type { Contract } from '../../contract/contract.js';
import { declaredResponses } from './declared-responses.js';
import type { DeclaredResponse } from './declared-responses.js';
import { targetPath } from '../http/exchange.js';
import type { CheckExchange, Exchange } from '../http/exchange.js';
import { missingHeaders, standingViolations } from './header-violations.js';
import { matchTarget } from './match-target.js';
import type { Match } from './match-target.js';
import { contentViolations, responseViolations } from './response-violations.js';

export interface CheckerOptions {
  readonly contract?: Contract;
  readonly cors?: boolean;
  /** Called for each answer that is as the contract says. */
  readonly passed?: (exchange: Exchange, match: Match, by: DeclaredResponse['of']) => void;
}

/** A check that throws, naming request and difference, when an answer is not what the contract declares. */
export function answerChecker({ contract = readContract(), cors = false, passed }: CheckerOptions = {}): CheckExchange {
  return (exchange) => {
    const { method, target, answer } = exchange;
    const match = matchTarget(contract, method ?? '', target ?? '');
    if (isOutside(exchange, match) && answer.status < 400) return;
    const declared = declaredResponses(contract, match, exchange);
    const verdicts = declared.map((candidate) => violations(exchange, match, candidate, cors));
    const fitting = declared.find((_, i) => verdicts[i]!.length === 0);
    if (fitting) return passed?.(exchange, match, fitting.of);
    if (isReadiness(exchange)) return;
    const differences = verdicts[0] ?? undeclared(contract, exchange, match);
    if (differences.length === 0) return;
    throw new Error(
      `${method ?? 'unreadable'} ${target ?? 'request'} answered ${answer.status}: ${differences.join('; ')}`,
    );
  };
}

function violations(exchange: Exchange, match: Match, { response, of }: DeclaredResponse, cors: boolean): string[] {
  const { answer, method } = exchange;
  const isHead = method === 'HEAD';
  // Pages around the interface, such as its documentation, may have headers that no contract declares.
  if (isOutside(exchange, match)) {
    return [
      ...standingViolations(answer),
      ...missingHeaders(answer, response),
      ...contentViolations(answer, response, isHead),
    ];
  }
  return [
    ...responseViolations(answer, response, { isHead, cors }),
    ...(of === 'protocol' ? allowViolations(answer.headers.allow, match.methods) : []),
  ];
}

function allowViolations(allow: readonly string[] | undefined, methods: readonly string[]): string[] {
  if (!allow) return [];
  const actual = allow.join(', ').split(/, */).toSorted().join(', ');
  const expected = methods.toSorted().join(', ');
  return actual === expected ? [] : [`Allow names ${actual} instead of ${expected}`];
}

function undeclared(contract: Contract, exchange: Exchange, match: Match): string[] {
  const { answer, method } = exchange;
  const error = contract.protocolResponses[404];
  if (isOutside(exchange, match)) return error ? contentViolations(answer, error, method === 'HEAD') : [];
  return [`the contract does not declare this status for ${match.operation?.name ?? 'such a request'}`];
}

function isOutside({ method, target }: Exchange, match: Match): boolean {
  return method !== undefined && target !== undefined && !match.belowBase;
}

// `/ready` has its own body, which names the failed checks.
function isReadiness({ target, answer }: Exchange): boolean {
  return target !== undefined && targetPath(target) === '/ready' && answer.status === 503;
}
