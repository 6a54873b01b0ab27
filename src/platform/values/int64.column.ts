import type { ColumnOptions, ValueTransformer } from 'typeorm';

/** Drivers return 64-bit integers as numbers, text or bigint; entities hold bigint only. */
const exact: ValueTransformer = {
  from: (value: string | number | bigint | null | undefined) => (value == null ? value : BigInt(value)),
  to: (value: unknown) => value,
};

/** A 64-bit integer column: `BIGINT` on every database. */
export const INT64 = { type: 'bigint', transformer: exact } as const satisfies ColumnOptions;
