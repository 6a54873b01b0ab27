import { expect } from '@jest/globals';
import type { Answer } from './answer.js';
import type { Client } from './client.js';

export async function expectHeadAsGet(api: Client, target: string): Promise<void> {
  const [get, head] = [await api.get(target), await api.head(target)];
  expect(headOf(head)).toStrictEqual(headOf(get));
  expect(head.bytes).toHaveLength(0);
}

/** What the responses to a GET and a HEAD have in common, when one of them may have no body. */
function headOf({ status, headers: { date: _date, ...headers } }: Answer) {
  return { status, headers };
}
