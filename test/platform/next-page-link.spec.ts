import { describe, expect, it } from '@jest/globals';
import { writeCursor } from '../../src/platform/paging/cursor.js';
import { nextPageLink } from '../../src/platform/paging/next-page-link.js';

describe('nextPageLink', () => {
  it.each<[string, object, string]>([
    ['a number and a text', { limit: 2, status: 'a b&c' }, 'limit=2&status=a%20b%26c&'],
    ['a bigint and a boolean', { since: 2n ** 63n - 1n, isNew: false }, 'since=9223372036854775807&isNew=false&'],
    ['a time', { from: new Date('2030-12-05T10:30:00Z') }, 'from=2030-12-05T10%3A30%3A00.000Z&'],
    ['a list, once for each value', { status: ['a', 'b,c'], days: [] }, 'status=a&status=b%2Cc&'],
    ['nothing for what is absent, and not the cursor of this page', { limit: undefined, cursor: 1n }, ''],
  ])('keeps %s', (_, query, text) => {
    expect(nextPageLink('/v1/things', query, 7n)).toBe(`</v1/things?${text}cursor=${writeCursor(7n)}>; rel="next"`);
  });

  it('refuses an object, which it would otherwise lose', () => {
    expect(() => nextPageLink('/v1/things', { price: { from: 1 } }, 7n)).toThrow('price cannot be written into a link');
  });
});
