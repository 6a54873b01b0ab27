import { describe, expect, it } from '@jest/globals';
import { readJson } from '../../../src/platform/values/json-reader.js';
import { ALLOWED, FACTOR, growth } from '../../support/growth.js';

describe('readJson: time', () => {
  /** The body limit of the service. */
  const SIZE = 102_400;

  /**
   * Reads a text and an ordinary one of the same size. Without the ordinary one, a text that is rejected at its first
   * character would measure only allocations.
   */
  function reading(textOf: (size: number) => string, size: number): () => void {
    const bytes = Buffer.from(textOf(size));
    const ordinary = Buffer.from(`[${repeated('1 ,', size)}1]`);
    return () => {
      readJson(ordinary);
      try {
        readJson(bytes);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
      }
    };
  }

  const repeated = (text: string, size: number): string => text.repeat(Math.floor(size / text.length));
  const members =
    (length: number, name: (index: number) => string | number) =>
    (size: number): string =>
      `{${Array.from({ length: size / length }, (_, index) => `"${name(index)}":0`).join()}}`;

  it.each<[string, (size: number) => string]>([
    ['zeros before the point', (size) => `1${repeated('0', size)}`],
    ['zeros after the point', (size) => `1.${repeated('0', size)}`],
    ['zeros after the point and then a one', (size) => `1.${repeated('0', size)}1`],
    ['zeros that the exponent cancels', (size) => `1${repeated('0', size)}e-${size}`],
    ['nines', (size) => repeated('9', size)],
    ['nines after the point', (size) => `0.${repeated('9', size)}`],
    ['alternating zeros and ones', (size) => `1${repeated('01', size)}`],
    ['digits of an exponent', (size) => `1e${repeated('9', size)}`],
    ['numbers with an exponent', (size) => `[${repeated('1e99,', size)}1]`],
    ['digits of an integer and an exponent', (size) => `${repeated('7', size)}e5`],
    ['minus signs', (size) => repeated('-', size)],
    ['escaped backslashes', (size) => `"${repeated('\\\\', size)}"`],
    ['backslashes without an end', (size) => `"${repeated('\\', size)}`],
    ['escaped code points', (size) => `"${repeated(String.raw`\u0041`, size)}"`],
    ['escaped surrogates', (size) => `"${repeated(String.raw`\ud800`, size)}"`],
    ['letters without an end', (size) => `"${repeated('a', size)}`],
    ['quotes', (size) => repeated('"', size)],
    ['strings', (size) => `[${repeated('"",', size)}""]`],
    ['open brackets', (size) => repeated('[', size)],
    ['open braces', (size) => repeated('{"a":', size)],
    ['closed brackets', (size) => repeated('[],', size)],
    ['white space', (size) => repeated(' ', size)],
    ['white space before the end', (size) => `[1${repeated('\n', size)}`],
    ['white space between values', (size) => `[${repeated('1 ,', size)}1]`],
    ['commas', (size) => `[${repeated(',', size)}`],
    ['members', members(10, (index) => `m${index}`)],
    ['members with short names', members(5, (index) => index.toString(36))],
    ['members named by numbers', members(5, (index) => index)],
    ['members named by distant numbers', members(12, (index) => 4_294_967_294 - index * 65_536)],
    ['members with long names', members(1000, (index) => 'n'.repeat(1000) + index)],
    ['members with escaped names', members(12, (index) => `\\u0061${index}`)],
  ])('grows linearly with the text: %s', (_, textOf) => {
    expect(growth(reading(textOf, SIZE / FACTOR), reading(textOf, SIZE))).toBeLessThanOrEqual(ALLOWED);
  });
});
