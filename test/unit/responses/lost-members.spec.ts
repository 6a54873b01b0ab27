import { describe, expect, it } from '@jest/globals';
import { compile } from './compile.js';

const TEXT = { type: 'string' };
const INTEGER = { type: 'integer' };
const objectOf = (properties: object, required: string[] = [], more = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
});
const listOf = (items: object) => ({ type: 'array', items });
const oneOf = (...alternatives: object[]) => ({ oneOf: alternatives });
const anyOf = (...alternatives: object[]) => ({ anyOf: alternatives });
const mapOf = (additionalProperties: object | boolean) => ({ type: 'object', additionalProperties });

const REF = objectOf({ id: INTEGER }, ['id']);
const FULL = objectOf({ id: INTEGER, name: TEXT, email: { ...TEXT, format: 'email' } }, ['id', 'name', 'email']);
const CARD = objectOf({ kind: TEXT, last4: { ...TEXT, pattern: '^\\d{4}$' } }, ['kind', 'last4']);
const IBAN = objectOf({ kind: TEXT, iban: TEXT }, ['kind']);
const tagged = (kind: string, more: object) => objectOf({ kind: { ...TEXT, enum: [kind] }, ...more }, ['kind']);
const CAT = tagged('cat', { lives: INTEGER });
const DOG = tagged('dog', { barks: INTEGER, name: TEXT });
const NULL = { ...TEXT, nullable: true, enum: [null] };
const BAD = { id: 1, name: 'Ann', email: 'not an email' };

class Account {
  readonly id = 1;

  get email(): string {
    return 'not an email';
  }
}

class Named {
  readonly id = 1;

  name(): string {
    return 'Ann';
  }
}

describe('a value that would lose members of an alternative', () => {
  it.each<[string, object, unknown, string]>([
    ['a wrong member, anyOf', anyOf(FULL, REF), BAD, 'email must be an email address'],
    ['a wrong member, oneOf', oneOf(FULL, REF), BAD, 'email must be an email address'],
    ['in another order', anyOf(REF, FULL), BAD, 'email must be an email address'],
    [
      'a closed alternative',
      anyOf(FULL, { ...REF, additionalProperties: false }),
      BAD,
      'email must be an email address',
    ],
    ['null for a member', anyOf(FULL, REF), { id: 1, name: 'Ann', email: null }, 'email must be an email address'],
    ['a missing member', anyOf(FULL, REF), { id: 1, name: 'Ann' }, 'email is required'],
    ['an optional member', oneOf(CARD, IBAN), { kind: 'card', last4: '12345' }, 'last4 must be a string that matches'],
    ['a member of a class', anyOf(FULL, REF), new Account(), 'name is required; email must be an email address'],
    ['what toJSON returns', anyOf(FULL, REF), { toJSON: () => BAD }, 'email must be an email address'],
    ['a member', objectOf({ a: anyOf(FULL, REF) }), { a: BAD }, 'a.email must be an email address'],
    [
      'a deep member',
      anyOf(objectOf({ a: FULL }, ['a']), objectOf({ a: REF }, ['a'])),
      { a: BAD },
      'a.email must be an email address',
    ],
    [
      'an item in one of two lists',
      anyOf(listOf(FULL), listOf(REF)),
      [{ id: 2 }, BAD],
      '0.name is required; 0.email is required; 1.email must be an email address',
    ],
    ['a further member', anyOf(mapOf(FULL), mapOf(REF)), { x: BAD }, 'x.email must be an email address'],
    ['alternatives of alternatives', oneOf(anyOf(REF, INTEGER), FULL), BAD, 'email must be an email address'],
    [
      'the alternative with most of the members is explained',
      anyOf(REF, objectOf({ name: INTEGER }, ['name']), FULL),
      BAD,
      'email must be an email address',
    ],
    [
      'members of two alternatives, each of which is right',
      oneOf(REF, objectOf({ id: INTEGER, name: TEXT }, ['id', 'name'], { additionalProperties: false })),
      { id: 1, name: 'Ann', size: 1 },
      'The body must not have members of several alternatives',
    ],
    [
      'a list of values in one alternative only',
      anyOf(objectOf({ kind: { ...TEXT, enum: ['a'] }, note: TEXT }, ['kind']), objectOf({ kind: TEXT })),
      { kind: 'b', note: 'x' },
      'kind must be one of a',
    ],
    [
      'a member that has values beside null',
      anyOf(objectOf({ a: oneOf(REF, NULL), b: INTEGER }), objectOf({ a: oneOf(REF, NULL) })),
      { a: { id: 1 }, b: 'x' },
      'b must be an integer',
    ],
  ])('breaks the contract: %s', (_, schema, value, reason) => {
    let message = '';
    try {
      compile(schema)(value);
    } catch (error) {
      ({ message } = error as Error);
    }
    expect(message).toContain(`the response does not match openapi.yaml: ${reason}`);
  });

  it.each<[string, object, unknown, string]>([
    ['each alternative', anyOf(FULL, REF), { ...BAD, email: 'a@b.test' }, '{"id":1,"name":"Ann","email":"a@b.test"}'],
    ['the smaller alternative', anyOf(FULL, REF), { id: 1 }, '{"id":1}'],
    ['undefined', anyOf(FULL, REF), { id: 1, name: undefined }, '{"id":1}'],
    ['null, as in rows of a database', anyOf(FULL, REF), { id: 1, name: null, email: null }, '{"id":1}'],
    ['what no alternative declares', anyOf(FULL, REF), { id: 1, passwordHash: 'x' }, '{"id":1}'],
    ['a method', anyOf(FULL, REF), new Named(), '{"id":1}'],
    [
      'members of a value that enum tells apart',
      oneOf(CAT, DOG),
      { kind: 'cat', lives: 9, barks: 1 },
      '{"kind":"cat","lives":9}',
    ],
    ['the same in a list', anyOf(listOf(CAT), listOf(DOG)), [{ kind: 'cat', barks: 1 }], '[{"kind":"cat"}]'],
    [
      'members of a value that const in a part tells apart',
      oneOf(
        { allOf: [IBAN, objectOf({ kind: { ...TEXT, const: 'x' } }, ['kind'])] },
        { allOf: [CARD, objectOf({ kind: { ...TEXT, enum: ['y'] } }, ['kind'])] },
      ),
      { kind: 'x', last4: '1234' },
      '{"kind":"x"}',
    ],
    [
      'a member that the matching alternative hides',
      oneOf(
        objectOf({ id: INTEGER, pin: { ...TEXT, writeOnly: true } }, ['id']),
        objectOf({ pin: INTEGER, name: TEXT }, ['pin', 'name']),
      ),
      { id: 1, pin: 'x' },
      '{"id":1}',
    ],
    [
      'a member that only the other alternative hides',
      oneOf(REF, objectOf({ pin: { ...TEXT, writeOnly: true }, name: TEXT }, ['name'])),
      { id: 1, pin: 'x' },
      '{"id":1}',
    ],
    ['a map of anything', anyOf(FULL, mapOf(true)), BAD, '{"id":1,"name":"Ann","email":"not an email"}'],
    ['a map that declares no member by name', anyOf(REF, mapOf(INTEGER)), { id: 1, a: 'x' }, '{"id":1}'],
    ['null', oneOf(FULL, NULL), null, 'null'],
    ['a list', oneOf(FULL, listOf(REF)), [{ id: 1, name: 'Ann' }], '[{"id":1}]'],
  ])('is written where it loses nothing: %s', (_, schema, value, text) => {
    expect(compile(schema)(value)).toBe(text);
  });
});
