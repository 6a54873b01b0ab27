import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readContract } from '../../../src/platform/contract/read-contract.js';
import { StartError } from '../../../src/platform/process/start-error.js';
import { baseContract } from './base-contract.js';

const file = join(mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'yaml-')), 'openapi.yaml');
const BASE = JSON.stringify(baseContract('3.0.3'));

function errorOf(text: string): unknown {
  writeFileSync(file, text);
  try {
    readContract(file);
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Ten times the ten items of the one before: 10,000 in all. */
const BOMB = ['"x-b":&b [*a', '"x-c":&c [*b', '"x-d":&d [*c'].map(
  (start) => `${start}${`,${start.slice(-2)}`.repeat(9)}],`,
);

describe('a contract whose YAML is ambiguous stops the start, with file, line and column', () => {
  it.each([
    [
      'an alias without an anchor',
      BASE.replace('"Things"', '*nope'),
      'the alias "*nope" needs an anchor "&nope" before it.',
    ],
    [
      'an alias inside its anchor',
      BASE.replace('"info":{', '"info":&a {"x-b": *a,'),
      'the alias "*a" contains itself.',
    ],
    [
      'aliases that multiply',
      BASE.replace('{', `{"x-a":&a [1,1,1,1,1,1,1,1,1,1],${BOMB.join('')}`),
      'aliases repeat too much of the document; use "$ref".',
    ],
    [
      'a status with and without quotes',
      BASE.replace('"201":{', '201: {"description": "x"}, "201":{'),
      '"201" is declared twice.',
    ],
  ])('%s', (_, text, reason) => {
    const error = errorOf(text);
    expect(error).toBeInstanceOf(StartError);
    expect((error as StartError).message.replace(/:\d+:\d+ /, ': ')).toBe(`${file}: ${reason}`);
  });

  it('but an alias of an anchor before it is read', () => {
    expect(errorOf(BASE.replace('"Things"', '&title "Things"').replace('"1.0.0"', '*title'))).toBeUndefined();
  });
});
