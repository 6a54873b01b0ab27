import { describe, expect, it } from '@jest/globals';
import { shapeOf, type Term } from '../../src/platform/database/tables/conditions.js';

const equal = (name: string): Term => ({
  column: { name, property: name, type: 'text', isNullable: false, isOrdered: false, isComparable: true },
  operator: '=',
  value: 'x',
});

describe('the shape of conditions', () => {
  it('differs whenever the columns do, even if their names joined are the same', () => {
    expect(shapeOf([equal('a_b'), equal('c')])).not.toBe(shapeOf([equal('a'), equal('b_c')]));
  });
});
