import { expect } from '@jest/globals';
import type { HttpResponse } from './http-response.js';
import type { Client } from './client.js';

export async function expectHeadAsGet(api: Client, target: string): Promise<void> {
  const [get, head] = [await api.get(target), await api.head(target)];
  expect(headOf(head)).toStrictEqual(headOf(get));
  expect(head.bytes).toHaveLength(0);
}

/** The parts that responses to GET and HEAD share. */
function headOf({ status, headers: { date: _date, 'x-request-id': _id, ...headers } }: HttpResponse) {
  return { status, headers };
}
