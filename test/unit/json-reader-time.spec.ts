import { describe, expect, it } from '@jest/globals';
import { readJson } from '../../src/platform/values/json-reader.js';

describe('readJson: time', () => {
  const SIZE = 102_400;
  /** Milliseconds. */
  const ALLOWED = 50;
  const repeated = (text: string): string => text.repeat(Math.floor(SIZE / text.length));
  const members = (count: number, name: (index: number) => string | number): string =>
    `{${Array.from({ length: count }, (_, index) => `"${name(index)}":0`).join()}}`;

  /** Milliseconds of the quickest of some attempts: what else the machine does is no fault of the reader. */
  function quickest(text: string): number {
    const bytes = Buffer.from(text);
    let time = Infinity;
    for (let attempt = 0; attempt < 10 && time > ALLOWED; attempt += 1) time = Math.min(time, timeOf(bytes));
    return time;
  }

  function timeOf(bytes: Buffer): number {
    const start = performance.now();
    try {
      readJson(bytes);
    } catch {
      // Refused is as good as read.
    }
    return performance.now() - start;
  }

  it.each([
    ['zeros before the point', `1${repeated('0')}`],
    ['zeros after the point', `1.${repeated('0')}`],
    ['zeros after the point and then a one', `1.${repeated('0')}1`],
    ['zeros that the exponent takes back', `1${repeated('0')}e-${SIZE}`],
    ['nines', repeated('9')],
    ['nines after the point', `0.${repeated('9')}`],
    ['zeros and ones by turns', `1${repeated('01')}`],
    ['digits of an exponent', `1e${repeated('9')}`],
    ['numbers with an exponent', `[${repeated('1e99,')}1]`],
    ['digits of an integer and an exponent', `${repeated('7')}e5`],
    ['minus signs', repeated('-')],
    ['escaped backslashes', `"${repeated('\\\\')}"`],
    ['backslashes without an end', `"${repeated('\\')}`],
    ['escaped code points', `"${repeated(String.raw`\u0041`)}"`],
    ['escaped surrogates', `"${repeated(String.raw`\ud800`)}"`],
    ['letters without an end', `"${repeated('a')}`],
    ['quotes', repeated('"')],
    ['strings', `[${repeated('"",')}""]`],
    ['open brackets', repeated('[')],
    ['open braces', repeated('{"a":')],
    ['closed brackets', repeated('[],')],
    ['white space', repeated(' ')],
    ['white space before the end', `[1${repeated('\n')}`],
    ['white space between values', `[${repeated('1 ,')}1]`],
    ['commas', `[${repeated(',')}`],
    ['10,000 members', members(10_000, (index) => `m${index}`)],
    ['20,000 members', members(20_000, (index) => index.toString(36))],
    ['20,000 members named by numbers', members(20_000, (index) => index)],
    ['members named by distant numbers', members(8_000, (index) => 4_294_967_294 - index * 65_536)],
    ['members with long names', members(100, (index) => 'n'.repeat(1000) + index)],
    ['members with escaped names', members(8_000, (index) => `\\u0061${index}`)],
  ])('is not wasted on 100 kB of %s', (_, text) => {
    expect(quickest(text)).toBeLessThan(ALLOWED);
  });
});
