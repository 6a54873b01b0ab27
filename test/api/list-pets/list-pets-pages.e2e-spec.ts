import { beforeAll, describe, expect, it } from '@jest/globals';
import { nextCursor } from '../../../client/src/client.js';
import { badRequest, bodyOf, CURSOR_VIOLATED, outcome } from '../../properties/outcome.js';
import {
  addCatalogue,
  addPets,
  nextTarget,
  numbered,
  pages,
  type Pet,
  STATUSES,
  typed,
  walk,
} from '../../support/pets.js';
import type { HttpResponse } from '../../support/http/http-response.js';
import { type StartedApp, startApp } from '../../support/start-app.js';

function cursorOf(response: HttpResponse): string {
  return new URLSearchParams(nextTarget(response)!.split('?')[1]).get('cursor')!;
}

describe('GET /pets page by page', () => {
  let service: StartedApp;
  let pets: Pet[];

  beforeAll(async () => {
    service = await startApp();
    pets = await addCatalogue(service.api);
  });

  describe('the Link header', () => {
    it('points to the next page with the parameters of this one', async () => {
      const response = await service.api.get('/v1/pets?limit=7&status=pending');
      expect(response.header('link')).toMatch(
        /^<\/v1\/pets\?limit=7&status=pending&cursor=[A-Za-z0-9_-]+>; rel="next"$/,
      );
    });

    it('omits undeclared parameters', async () => {
      const response = await service.api.get('/v1/pets?token=secret&limit=7&page=3&%3E%3B=%0D%0Ax');
      expect(nextTarget(response)).toMatch(/^\/v1\/pets\?limit=7&cursor=[\w-]+$/);
    });

    it('replaces the cursor of this page', async () => {
      const second = nextTarget(await service.api.get('/v1/pets?limit=7'));
      const third = nextTarget(await service.api.get(second!));
      expect(third).toMatch(/^\/v1\/pets\?limit=7&cursor=[\w-]+$/);
      expect(third).not.toBe(second);
    });

    it('gives the cursor with which the typed client visits every pet once', async () => {
      const found: unknown[] = [];
      let cursor: string | undefined;
      do {
        const page = await service.api.call.listPets({ query: { limit: 30, cursor } });
        found.push(...bodyOf(page));
        cursor = page.status === 200 ? nextCursor(page.headers.get('Link')) : undefined;
      } while (cursor !== undefined);
      expect(found).toStrictEqual(typed(pets));
    });

    it.each([1, 2, 7, 20, 100])('visits every pet once, in pages of %i', async (limit) => {
      const lengths: number[] = [];
      const found: Pet[] = [];
      for await (const page of pages(service.api, `/v1/pets?limit=${limit}`)) {
        lengths.push(page.length);
        found.push(...page);
      }
      expect(found).toStrictEqual(pets);
      expect(lengths.slice(0, -1)).toStrictEqual(Array.from({ length: lengths.length - 1 }, () => limit));
    });

    it.each(STATUSES)('leads through every pet that is %s', async (status) => {
      const expected = pets.filter((pet) => pet.status === status);
      expect(await walk(service.api, `/v1/pets?status=${status}&limit=3`)).toStrictEqual(expected);
    });

    it('has a cursor that works with another limit and another status', async () => {
      const { call } = service.api;
      const first = await call.listPets({ query: { limit: 38, status: 'available' } });
      const cursor = nextCursor(first.response.headers.get('Link'));
      const response = await call.listPets({ query: { limit: 100, cursor } });
      expect(outcome(response)).toStrictEqual({ status: 200, body: typed(pets.slice(38)) });
    });

    it.each([
      ['/v1/pets?limit=100&status=sold', 'fewer pets than requested'],
      ['/v1/pets?limit=40&status=pending', 'exactly as many pets as requested'],
      ['/v1/pets?limit=20&status=sold', 'exactly as many pets as requested'],
    ])('is absent when %s has %s', async (target) => {
      expect((await service.api.get(target)).headers.link).toBeUndefined();
    });

    it('is present as soon as one more pet exists', async () => {
      const { api } = await startApp();
      const [first] = await addPets(api, numbered(1));
      const last = await api.get('/v1/pets?limit=1');
      const [second] = await addPets(api, numbered(1));
      const notLast = await api.get('/v1/pets?limit=1');
      expect([outcome(last), nextTarget(last)]).toStrictEqual([{ status: 200, body: [first] }, undefined]);
      expect(outcome(notLast)).toStrictEqual({ status: 200, body: [first] });
      expect(outcome(await api.get(nextTarget(notLast)!))).toStrictEqual({ status: 200, body: [second] });
    });

    it('leads to the same pets, and the new ones, when the store grows', async () => {
      const { api } = await startApp();
      await addPets(api, numbered(3));
      const next = nextTarget(await api.get('/v1/pets?limit=2'))!;
      const before = await api.get(next);
      const [added] = await addPets(api, numbered(1));
      expect((await api.get(next)).json).toStrictEqual([...(before.json as Pet[]), added]);
    });
  });

  describe('the cursor', () => {
    let cursor: string;

    beforeAll(async () => {
      cursor = cursorOf(await service.api.get('/v1/pets?limit=7'));
    });

    it('is accepted as it appears in the Link header', async () => {
      const response = await service.api.get(`/v1/pets?limit=1&cursor=${cursor}`);
      expect(outcome(response)).toStrictEqual({ status: 200, body: [pets[7]] });
    });

    it.each([
      '',
      'x',
      '8',
      '-1',
      '0',
      'null',
      'next',
      '8-',
      '-8',
      '8-0',
      '8-8',
      '9223372036854775808-0',
      '%00',
      '%zz',
      '%F0%9F%A6%8A',
    ])('is rejected as "%s"', async (token) => {
      expect(outcome(await service.api.get(`/v1/pets?cursor=${token}`))).toStrictEqual(badRequest(CURSOR_VIOLATED));
    });

    it.each<[string, (token: string) => string]>([
      ['cut short', (token) => token.slice(0, -1)],
      ['without its beginning', (token) => token.slice(1)],
      ['with an extra character', (token) => `${token}A`],
      ['padded', (token) => `${token}=`],
      ['padded twice', (token) => `${token}%3D%3D`],
      ['after a space', (token) => `+${token}`],
      ['before a space', (token) => `${token}%20`],
      ['before a line feed', (token) => `${token}%0A`],
      ['before a NUL', (token) => `${token}%00`],
      ['in quotes', (token) => `%22${token}%22`],
      ['with a zero in front', (token) => `0${token}`],
      ['with a zero before the checksum', (token) => token.replace('-', '-0')],
      ['with a plus sign', (token) => `%2B${token}`],
      ['with a minus sign', (token) => `-${token}`],
      ['backwards', (token) => token.split('').toReversed().join('')],
      ['twice in one value', (token) => token + token],
      ['as a list', (token) => `${token},${token}`],
      ['repeated 500 times in one value', (token) => token.repeat(500)],
    ])('is rejected %s', async (_, tamper) => {
      const target = `/v1/pets?cursor=${tamper(cursor)}`;
      expect(outcome(await service.api.get(target))).toStrictEqual(badRequest(CURSOR_VIOLATED));
    });

    it.each(['', 'the token'])('is rejected when another cursor follows: "%s"', async (text) => {
      const response = await service.api.get(`/v1/pets?cursor=${cursor}&cursor=${text && cursor}`);
      expect(outcome(response)).toStrictEqual(badRequest('cursor must be given once'));
    });

    it('is rejected with any single character changed', async () => {
      const changed = cursor
        .split('')
        .map((character, at) => cursor.slice(0, at) + (character === '7' ? '8' : '7') + cursor.slice(at + 1));
      const responses = await Promise.all(changed.map((token) => service.api.get(`/v1/pets?cursor=${token}`)));
      expect(responses.map(outcome)).toStrictEqual(changed.map(() => badRequest(CURSOR_VIOLATED)));
    });
  });
});
