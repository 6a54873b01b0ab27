import type { Contract } from '../../contract/contract.js';
import type { Response } from '../../contract/open-api.js';
import type { Exchange } from '../http/exchange.js';
import type { Match } from './match-target.js';

export interface DeclaredResponse {
  readonly of: 'operation' | 'protocol';
  readonly response: Response;
}

/** Given by the HTTP parser, whatever the request means. */
const PARSER_STATUSES = [408, 414, 431];
/** Bytes written by hand may be no HTTP, which a client's request never is. */
const RAW_PARSER_STATUSES = [400, ...PARSER_STATUSES];

/** The responses of the contract that may answer a request with the status that the answer has. */
export function declaredResponses(contract: Contract, match: Match, exchange: Exchange): DeclaredResponse[] {
  const { status } = exchange.answer;
  const own = match.operation?.responses[status];
  const protocol = contract.protocolResponses[status];
  const mayBeProtocol = protocolStatuses(match, exchange).includes(status);
  return [
    ...(own ? [{ of: 'operation', response: own } as const] : []),
    ...(protocol && mayBeProtocol ? [{ of: 'protocol', response: protocol } as const] : []),
  ];
}

function protocolStatuses(match: Match, { method, target, raw, answer }: Exchange): number[] {
  const parser = raw ? RAW_PARSER_STATUSES : PARSER_STATUSES;
  if (method === undefined || target === undefined) return parser;
  if (match.operation) return parser;
  if (!match.belowBase) return [answer.status];
  const anywhere = [...parser, 500, 503];
  if (match.methods.length === 0) return [404, ...anywhere];
  return method === 'OPTIONS' ? [204, ...anywhere] : [405, ...anywhere];
}
