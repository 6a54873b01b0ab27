import { describe, expect, it } from '@jest/globals';
import { writeCursor } from '../../src/platform/paging/cursor.js';
import { nextPageLink } from '../../src/platform/paging/next-page-link.js';

const NEXT = writeCursor(7n);

const of = (text: string, path = '/v1/things') => ({ path, url: `${path}?${text}` });

describe('nextPageLink', () => {
  it.each<[string, string, object, string]>([
    ['parameters, in their order', 'status=a%20b%26c&limit=2', { limit: 2, status: 'a b&c' }, ''],
    [
      'an encoding of letters, a plus sign and a missing value',
      '%6Cimit=%32&q=a+b&all',
      { limit: 2, q: 'a b', all: '' },
      '',
    ],
    ['a date that the handler takes as a Date', 'day=2030-01-01', { day: new Date('2030-01-01') }, ''],
    ['a time', 'from=2030-12-05T10:30:00%2B01:00', { from: new Date('2030-12-05T09:30:00Z') }, ''],
    ['a repeated list', 'tag=a&tag=b%2Cc', { tag: ['a', 'b,c'] }, ''],
    ['a list with commas', 'ids=1,2', { ids: [1, 2] }, ''],
    ['an object', 'filter[color]=red&filter%5Bsize%5D=1', { filter: { color: 'red', size: 1 } }, ''],
    ['a default, which it adds', 'status=a', { limit: 20, status: 'a' }, 'limit=20&'],
    [
      'a bigint and a boolean, which it adds',
      '',
      { since: 2n ** 63n - 1n, isNew: false },
      'since=9223372036854775807&isNew=false&',
    ],
  ])('keeps %s', (_, sent, query, added) => {
    const kept = sent === '' ? '' : `${sent}&`;
    expect(nextPageLink(of(sent), query, 7n)).toBe(`</v1/things?${kept}${added}cursor=${NEXT}>; rel="next"`);
  });

  it.each<[string, string, object]>([
    ['the cursor of this page', 'cursor=1-2', { limit: undefined, cursor: 1n }],
    ['undeclared parameters', 'token=secret&limit[]=3&toString=1&&filter[a=1', { filter: { a: 1 } }],
    [
      'a member of anything but an object',
      'days[0]=1&from[a]=1&limit[a]=3',
      { days: [], from: new Date(), limit: undefined },
    ],
    ['the defaults of lists and objects', '', { days: [1], filter: { size: 1 }, from: new Date(), to: null }],
  ])('leaves out %s', (_, sent, query) => {
    expect(nextPageLink(of(sent), query, 7n)).toBe(`</v1/things?cursor=${NEXT}>; rel="next"`);
  });

  it('replaces a cursor with another name, and only that one', () => {
    const query = { after: 1n, cursor: 'a', limit: 2 };
    expect(nextPageLink(of('after=1-2&cursor=a&limit=2'), query, 7n, 'after')).toBe(
      `</v1/things?cursor=a&limit=2&after=${NEXT}>; rel="next"`,
    );
  });

  it('encodes what would end the link or begin a fragment', () => {
    const { path, url } = of('q=a>;"b"#c|d,e;f<\\é', '/v1/things/a>b');
    expect(nextPageLink({ path, url }, { q: '' }, 7n)).toBe(
      `</v1/things/a%3Eb?q=a%3E;%22b%22%23c%7Cd,e;f%3C%5C%C3%A9&cursor=${NEXT}>; rel="next"`,
    );
  });

  it('has the parameters of a request in the absolute form, and of one without a query', () => {
    const path = '/v1/things';
    const absolute = { path, url: `http://shop.test${path}?limit=2` };
    expect(nextPageLink(absolute, { limit: 2 }, 7n)).toBe(`</v1/things?limit=2&cursor=${NEXT}>; rel="next"`);
    expect(nextPageLink({ path, url: path }, { limit: 2 }, 7n)).toBe(`</v1/things?limit=2&cursor=${NEXT}>; rel="next"`);
  });
});
