import { describe, expect, it } from '@jest/globals';
import { ConflictException, HttpException } from '@nestjs/common';
import { readdirSync, readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { PetNotFound } from '../../src/pets/pet.errors.js';
import { STATUS_BY_CODE, STATUS_BY_KIND } from '../../src/platform/errors/error-codes.js';
import { ErrorBody } from '../../src/platform/errors/error-body.js';
import { readOpenApi } from '../contract/open-api.js';

interface Row {
  readonly code: string;
  readonly status: number;
  readonly meaning: string;
  readonly advice: string;
}

const SRC = new URL('../../src/', import.meta.url);

/** All files of it. */
const SOURCES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(new URL(file, SRC), 'utf8'))
  .join('\n');

/** The code and status of every domain error that is declared in `src`. */
function domainErrors(): [code: string, status: number][] {
  return [...SOURCES.matchAll(/readonly code = '(\w+)';\s+readonly kind = '([\w-]+)';/g)].map(([, code, kind]) => [
    code!,
    STATUS_BY_KIND[kind as keyof typeof STATUS_BY_KIND],
  ]);
}

/** Every code of an Error body, and its status. */
const STATUSES: Readonly<Record<string, number>> = { ...STATUS_BY_CODE, ...Object.fromEntries(domainErrors()) };

/** That of the name of the status for a Nest exception, such as NOT_ACCEPTABLE. */
function statusOf(code: string): number | undefined {
  const named = Object.entries(STATUS_CODES).find(([, name]) => name!.toUpperCase().replaceAll(/[ -]/g, '_') === code);
  return STATUSES[code] ?? (named && Number(named[0]));
}

function documentedRows(): Row[] {
  const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| +`(\w+)` +\| +(\d+) +\|([^|]*)\|([^|]*)\|$/gm)];
  return rows.map(([, code, status, meaning, advice]) => ({
    code: code!,
    status: Number(status),
    meaning: meaning!.trim(),
    advice: advice!.trim(),
  }));
}

/** The Error bodies in the examples of the contract. */
function examples(value: unknown): { code: string; status: unknown }[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('code' in value && typeof value.code === 'string' && 'status' in value) {
    return [{ code: value.code, status: value.status }];
  }
  return Object.values(value).flatMap(examples);
}

describe('an Error body', () => {
  it('has the status of its code', () => {
    expect(JSON.stringify(ErrorBody.of('NOT_FOUND', 'No resource at /v1/dogs.'))).toBe(
      '{"code":"NOT_FOUND","message":"No resource at /v1/dogs.","status":404}',
    );
  });

  it('of a domain error has its code and the status of its kind', () => {
    expect(JSON.stringify(ErrorBody.ofDomainError(new PetNotFound(42n)))).toBe(
      '{"code":"PET_NOT_FOUND","message":"No pet has the id 42.","status":404}',
    );
  });

  it('of a Nest exception has the code of its status', () => {
    expect(JSON.stringify(ErrorBody.ofException(new ConflictException('The toy is taken.')))).toBe(
      '{"code":"CONFLICT","message":"The toy is taken.","status":409}',
    );
  });

  it.each<[string, object, string]>([
    ['a message', { message: 'It is taken.', error: 'Conflict' }, 'It is taken.'],
    ['a list of messages', { message: ['One.', 'Two.'] }, 'One.; Two.'],
    ['an error', { status: 409, error: 'It is taken.' }, 'It is taken.'],
    ['neither', { reason: 7 }, 'Http Exception'],
  ])('of an exception with %s has that message', (_, response, message) => {
    expect(ErrorBody.ofException(new HttpException(response, 409)).message).toBe(message);
  });

  // The compiler checks this (`npm run check:types`): the next line must be a type error.
  it('does not compile with an unknown code', () => {
    // @ts-expect-error
    expect(() => ErrorBody.of('TYPO', 'No status belongs to it.')).not.toThrow();
  });
});

describe('docs/errors.md', () => {
  it('lists every code that any operation may have, and only codes of the service, with their statuses', () => {
    const rows = documentedRows().map(({ code, status }) => [code, status] as const);
    const codes = rows.map(([code]) => code);
    expect(codes).toStrictEqual([...new Set(codes)]);
    expect(codes).toEqual(expect.arrayContaining(Object.keys(STATUS_BY_CODE)));
    expect(rows).toStrictEqual(rows.map(([code]) => [code, STATUSES[code]]));
  });

  it('explains what every code means and what the caller should do', () => {
    const incomplete = documentedRows().filter(
      ({ meaning, advice }) => !/^[^ ].+\.$/.test(meaning) || !/^[^ ].+\.$/.test(advice),
    );
    expect(incomplete).toStrictEqual([]);
  });

  it('is ordered by status', () => {
    const statuses = documentedRows().map(({ status }) => status);
    expect(statuses).toStrictEqual(statuses.toSorted((a, b) => a - b));
  });
});

describe('the examples of openapi.yaml', () => {
  it('use codes of the service with their statuses', () => {
    const found = examples(readOpenApi());
    expect(found).not.toStrictEqual([]);
    for (const { code, status } of found) {
      // An HttpException may have a code of its own.
      if (statusOf(code) === undefined) expect(SOURCES).toContain(`'${code}'`);
      else expect([code, Number(status)]).toEqual([code, statusOf(code)]);
    }
  });

  it('use every code', () => {
    const found = new Set(examples(readOpenApi()).map(({ code }) => code));
    expect([...found]).toEqual(expect.arrayContaining(Object.keys(STATUSES)));
  });
});
