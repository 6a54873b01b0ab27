import { afterAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { Standby } from '../../../src/platform/database/standbys/standby.js';
import { patientConfig } from '../../support/databases/time-limits.js';

const URL = 'postgres://127.0.0.1:1/pets';
const DATABASE = '7/16384';
/** Never connects. */
const pool = new Pool();

afterAll(() => pool.end());

/** What a standby has replayed, and what the primary had written before. */
type Check = readonly [replayed: string, written: string];

/** The reasons after each check. */
function reasonsOf(checks: readonly Check[]): (string | null | undefined)[] {
  const standby = new Standby(URL, pool, patientConfig(URL));
  return checks.map(([replayed, lsn]) => {
    const state = { database: DATABASE, start: null, replayed, hasReplayed: true };
    standby.compare(state, { lsn, database: DATABASE, start: '1700000000.000001' });
    return standby.strayReason;
  });
}

const STRAY = 'It has replayed what the primary did not write.';

// As after a restore of the primary to an earlier moment, which standbys cannot follow.
describe('a standby', () => {
  it.each<[string, Check[], (string | null | undefined)[]]>([
    ['is not known at its first check', [['0/5', '0/4']], [null]],
    [
      'may replay what was written since the primary was read',
      [
        ['0/5', '0/4'],
        ['0/6', '0/5'],
      ],
      [null, undefined],
    ],
    [
      'is stray when it has replayed more than was written later',
      [
        ['0/9', '0/4'],
        ['0/9', '0/5'],
      ],
      [null, STRAY],
    ],
    [
      'is compared as a number',
      [
        ['0/9', '0/4'],
        ['F/0', '10/0'],
      ],
      [null, undefined],
    ],
    [
      'stays stray when the primary has passed it',
      [
        ['0/9', '0/4'],
        ['0/9', '0/5'],
        ['0/9', '0/A'],
        ['0/9', '0/B'],
      ],
      [null, STRAY, STRAY, STRAY],
    ],
    [
      'is no longer stray when it follows again',
      [
        ['0/9', '0/4'],
        ['0/9', '0/5'],
        ['0/A', '0/A'],
        ['0/B', '0/B'],
      ],
      [null, STRAY, undefined, undefined],
    ],
  ])('%s', (_, checks, reasons) => {
    expect(reasonsOf(checks)).toEqual(reasons);
  });
});
