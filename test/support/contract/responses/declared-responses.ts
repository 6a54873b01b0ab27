import type { Contract } from '../../../contract/contract.js';
import type { Response } from '../../../contract/open-api.js';
import type { Exchange } from '../../http/exchange.js';
import type { Match } from '../match-target.js';

export interface DeclaredResponse {
  readonly of: 'operation' | 'protocol';
  readonly declared: Response;
}

/** Returned by the HTTP parser for any request. */
const PARSER_STATUSES = [408, 414, 431];
/** Raw bytes may also be malformed HTTP; a client's request never is. */
const RAW_PARSER_STATUSES = [400, ...PARSER_STATUSES];

/** The responses that the contract declares for this request and this status. */
export function declaredResponses(contract: Contract, match: Match, exchange: Exchange): DeclaredResponse[] {
  const { status } = exchange.response;
  const own = match.operation?.responses[status];
  const protocol = contract.protocolResponses[status];
  const mayBeProtocol = protocolStatuses(match, exchange).includes(status);
  return [
    ...(own ? [{ of: 'operation', declared: own } as const] : []),
    ...(protocol && mayBeProtocol ? [{ of: 'protocol', declared: protocol } as const] : []),
  ];
}

function protocolStatuses(match: Match, { method, target, raw, response }: Exchange): number[] {
  const parser = raw ? RAW_PARSER_STATUSES : PARSER_STATUSES;
  if (method === undefined || target === undefined) return parser;
  if (match.operation) return parser;
  if (!match.belowBase) return [response.status];
  const anywhere = [...parser, 500, 503];
  if (match.methods.length === 0) return [404, ...anywhere];
  return method === 'OPTIONS' ? [204, ...anywhere] : [405, ...anywhere];
}
