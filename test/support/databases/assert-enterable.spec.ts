import { expect, it } from '@jest/globals';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertEnterable } from './assert-enterable.js';

it('names the folder that other users cannot enter', () => {
  const outer = mkdtempSync(join(tmpdir(), 'enterable-'));
  const inner = join(outer, 'inner');
  mkdirSync(inner);
  chmodSync(inner, 0o755);
  chmodSync(outer, 0o700);
  expect(() => assertEnterable(inner)).toThrow(`other users cannot enter ${outer}: run this as another user`);
  chmodSync(outer, 0o711);
  assertEnterable(inner);
  rmSync(outer, { recursive: true });
});
