import { describe, expect, it } from '@jest/globals';

interface Violations {
  readonly brokenBodies: (body: { schema: object; example: object }) => [what: string, text: string][];
  readonly brokenHeadersOf: (parameter: object) => [what: string, value: string][];
  readonly brokenQueriesOf: (parameter: object) => [what: string, query: string][];
}

const { brokenBodies, brokenHeadersOf, brokenQueriesOf } = (await import(
  new URL('../../../tools/verify/violations.mjs', import.meta.url).href
)) as Violations;

const text = { type: 'string', minLength: 2n, maxLength: 3n };

describe('the requests that npm run verify derives from a schema', () => {
  it('have a body with a member that is too short, too long, null or of the wrong type', () => {
    const body = { schema: { required: [], properties: { tag: text } }, example: { id: 7n, tag: 'abc' } };
    expect(brokenBodies(body)).toEqual([
      ['tag: the wrong type', '{"id":7,"tag":7}'],
      ['tag: null', '{"id":7,"tag":null}'],
      ['tag: too short', '{"id":7,"tag":"a"}'],
      ['tag: too long', '{"id":7,"tag":"aaaa"}'],
      ['text that is not JSON', '{"'],
    ]);
  });

  it('have no null for a member that allows it', () => {
    for (const member of [{ type: ['string', 'null'] }, { type: 'string', nullable: true }]) {
      const broken = brokenBodies({ schema: { required: [], properties: { tag: member } }, example: {} });
      expect(broken.map(([what]) => what)).not.toContain('tag: null');
    }
  });

  it('have an empty query parameter and a repeated one, unless the schema allows them', () => {
    expect(brokenQueriesOf({ name: 'a b', schema: text, example: 'x&y' })).toEqual([
      ['too short', 'a%20b=a'],
      ['too long', 'a%20b=aaaa'],
      ['empty', 'a%20b='],
      ['repeated', 'a%20b=x%26y&a%20b=x%26y'],
    ]);
    expect(brokenQueriesOf({ name: 'a', schema: { type: 'string' } })).toEqual([]);
    expect(brokenQueriesOf({ name: 'a', schema: { type: 'array' }, example: 'a' })).toEqual([]);
  });

  it('have a value in capitals, unless the schema allows it, and integers that are not canonical', () => {
    const queriesOf = (schema: object) =>
      brokenQueriesOf({ name: 'a', schema }).map(([what, query]) => `${what}: ${query}`);
    expect(queriesOf({ type: 'string', enum: ['low', 'HIGH'] })).toContain('a value in capitals: a=LOW');
    expect(queriesOf({ type: 'string', enum: ['low', 'LOW'] }).join()).not.toContain('capitals');
    expect(queriesOf({ type: 'boolean', enum: [true] }).join()).not.toContain('capitals');
    expect(queriesOf({ type: 'integer' })).toEqual(expect.arrayContaining(['a plus sign: a=%2B1', 'a space: a=1%20']));
  });

  it('have only header values that can be sent', () => {
    expect(brokenHeadersOf({ schema: { type: 'string', pattern: '^[a-z]+$' } })).toEqual([
      ['"~", against the pattern', '~'],
      ['"a b", against the pattern', 'a b'],
      ['"\\"", against the pattern', '"'],
    ]);
  });

  it('are within the limits of the service on targets, header fields and bodies, whatever length is allowed', () => {
    const allowing = (maxLength: bigint) => ({ type: 'string', maxLength });
    const bodyOf = (member: object) => ({ schema: { required: [], properties: { tag: member } }, example: {} });
    const lengthsOf = (broken: [string, string][]) =>
      broken.filter(([what]) => /too (long|short)/.test(what)).map(([, sent]) => sent.length);
    expect(lengthsOf(brokenQueriesOf({ name: 'a', schema: allowing(7_000n) }))).toEqual([7_003]);
    expect(lengthsOf(brokenHeadersOf({ schema: allowing(14_000n) }))).toEqual([14_001]);
    expect(lengthsOf(brokenBodies(bodyOf(allowing(90_000n))))).toEqual([90_011]);
    for (const maxLength of [2n ** 17n, 2n ** 31n, 2n ** 53n]) {
      for (const schema of [allowing(maxLength), { type: 'string', minLength: maxLength }]) {
        expect(lengthsOf(brokenQueriesOf({ name: 'a', schema }))).toEqual([]);
        expect(lengthsOf(brokenHeadersOf({ schema }))).toEqual([]);
        expect(lengthsOf(brokenBodies(bodyOf(schema)))).toEqual([]);
      }
    }
    expect(lengthsOf(brokenQueriesOf({ name: 'a', schema: allowing(8_000n) }))).toEqual([]);
    expect(lengthsOf(brokenHeadersOf({ schema: allowing(16_000n) }))).toEqual([]);
  });
});
