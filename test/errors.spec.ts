import { describe, expect, it } from '@jest/globals';
import { ConflictException } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { STATUS_BY_CODE } from '../src/errors/error-codes.js';
import { ErrorBody } from '../src/http/error-body.js';
import { readOpenApi } from './contract/open-api.js';

interface Row {
  readonly code: string;
  readonly status: number;
  readonly meaning: string;
  readonly advice: string;
}

function documentedRows(): Row[] {
  const page = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| +`(\w+)` +\| +(\d+) +\|([^|]*)\|([^|]*)\|$/gm)];
  return rows.map(([, code, status, meaning, advice]) => ({
    code: code!,
    status: Number(status),
    meaning: meaning!.trim(),
    advice: advice!.trim(),
  }));
}

/** The Error bodies among the examples of the contract. */
function examples(value: unknown): { code: string; status: unknown }[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('code' in value && typeof value.code === 'string' && 'status' in value) {
    return [{ code: value.code, status: value.status }];
  }
  return Object.values(value).flatMap(examples);
}

describe('a refusal', () => {
  it('has the status of its code', () => {
    expect(JSON.stringify(ErrorBody.of('PET_NOT_FOUND', 'No pet has the id 42.'))).toBe(
      '{"code":"PET_NOT_FOUND","message":"No pet has the id 42.","status":404}',
    );
  });

  it('has the code of its status when Nest refuses', () => {
    expect(JSON.stringify(ErrorBody.ofException(new ConflictException('The toy is taken.')))).toBe(
      '{"code":"CONFLICT","message":"The toy is taken.","status":409}',
    );
  });

  // Checked by the compiler (`npm run check:types`): the line below must be an error.
  it('does not compile with a code that the catalogue lacks', () => {
    // @ts-expect-error
    expect(() => ErrorBody.of('TYPO', 'No status belongs to it.')).not.toThrow();
  });
});

describe('docs/errors.md', () => {
  it('has every code of the service with its status, and no other', () => {
    const rows = documentedRows().map(({ code, status }) => [code, status]);
    expect(Object.fromEntries(rows)).toStrictEqual({ ...STATUS_BY_CODE });
    expect(rows).toHaveLength(Object.keys(STATUS_BY_CODE).length);
  });

  it('says of every code what it means and what the caller should do', () => {
    const silent = documentedRows().filter(
      ({ meaning, advice }) => !/^[^ ].+\.$/.test(meaning) || !/^[^ ].+\.$/.test(advice),
    );
    expect(silent).toStrictEqual([]);
  });

  it('is in the order of the statuses', () => {
    const statuses = documentedRows().map(({ status }) => status);
    expect(statuses).toStrictEqual(statuses.toSorted((a, b) => a - b));
  });
});

describe('the examples of openapi.yaml', () => {
  it('carry codes of the service with their status', () => {
    const found = examples(readOpenApi());
    expect(found).not.toStrictEqual([]);
    expect(found.map(({ code, status }) => [code, Number(status)])).toStrictEqual(
      found.map(({ code }) => [code, STATUS_BY_CODE[code as keyof typeof STATUS_BY_CODE]]),
    );
  });

  it('carry every code', () => {
    const found = new Set(examples(readOpenApi()).map(({ code }) => code));
    expect([...found].toSorted()).toStrictEqual(Object.keys(STATUS_BY_CODE).toSorted());
  });
});
