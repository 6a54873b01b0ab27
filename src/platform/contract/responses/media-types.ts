import type { ContractNode } from '../source/contract-node.js';
import type { Responses } from './declared-response.js';

export const JSON_TYPE = 'application/json';

/** The media type in a Content-Type, in lower case: empty without one. */
export function essenceOf(contentType: number | string | readonly string[] = ''): string {
  const [essence = ''] = String(contentType).split(';');
  return essence.trim().toLowerCase();
}

/** Whether a Content-Type of JSON has a parameter other than the charset that JSON always has (RFC 8259, section 8.1). */
export function hasJsonParameter(contentType: string): boolean {
  if (essenceOf(contentType) !== JSON_TYPE) return false;
  const [, ...parameters] = contentType.split(';').map((part) => part.trim());
  return parameters.some((parameter) => parameter !== '' && !/^charset="?utf-?8"?$/i.test(parameter));
}

/**
 * The media types among which a request chooses by `Accept`: those of each response that is not an error. Undefined
 * where a request has no choice and is never refused with 406. `node` is that of the responses.
 */
export function mediaTypesToChoose(node: ContractNode, responses: Responses): readonly string[] | undefined {
  const offers = [...responses].filter(([status, { mediaTypes }]) => status < 400 && mediaTypes.length > 0);
  const [first] = offers.map(([, { mediaTypes }]) => mediaTypes);
  if (!first || !(responses.has(406) || offers.some(([, { mediaTypes }]) => mediaTypes.length > 1))) return undefined;
  const other = offers.find(([, { mediaTypes }]) => mediaTypes.join() !== first.join());
  if (!other) return first;
  return node
    .need(String(other[0]))
    .need('content')
    .fail(`requests choose a media type before the status is known; declare ${first.join(', ')} for both`);
}
