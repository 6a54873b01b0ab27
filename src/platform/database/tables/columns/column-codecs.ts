import type { ValueTransformer } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { INT64 } from '../../../values/int64.column.js';
import { isInt64 } from '../../../values/int64.js';
import { entityError, nameOf } from './entity-error.js';
import { assertPropertyType } from './property-type.js';
import { JSON_COLUMN, JSON_TEXT } from './json-cells.js';

/** Converts between the value of a property and a cell. */
interface ColumnCodec {
  /** Whether it also converts null. */
  readonly takesNull?: boolean;
  /** From a cell: text on PostgreSQL, except bigint. Absent when a cell is the value. */
  read?(cell: unknown): unknown;
  /** Throws a RangeError that completes "Entity.property ..." for a value that the column cannot hold. */
  write(value: unknown): unknown;
}

/** How a type is stored. */
export interface ColumnKind {
  /** Absent when cells are values. */
  readonly codec?: ColumnCodec;
  /** The same without the transformers of the entity, for a copy of what is stored. */
  readonly storedCodec?: ColumnCodec;
  /** Whether both engines order its values in the same way; text depends on PostgreSQL's language. */
  readonly isOrdered: boolean;
  /** Whether both engines compare its values in the same way. */
  readonly isComparable: boolean;
}

/** As messages name them. */
export const COLUMN_TYPES = 'text, varchar, INT64, integer, boolean, double precision, numeric, Date or simple-json';
/** Digits of a second in a Date. */
const MILLISECONDS = 3;
const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;
/** Decimal digits that a double, as SQLite stores them, always keeps. */
export const EXACT_DIGITS = 15;

/** Chooses the conversion of a column. `type` is the engine's name of it. Throws a StartError if unsupported. */
export function kindOf(column: ColumnMetadata, type: string, isPostgres: boolean): ColumnKind {
  const { codec: plain, ...kind } = plainKindOf(column, type, isPostgres);
  const storedCodec = plain && named(column, plain);
  const { transformer } = column;
  // INT64's transformer is for TypeORM: cells are exact without it.
  if (!transformer || transformer === INT64.transformer) {
    assertPropertyType(column, type);
    return { ...kind, codec: storedCodec, storedCodec };
  }
  return { ...kind, isOrdered: false, codec: transformed(storedCodec, [transformer].flat()), storedCodec };
}

/** Begins the message about a wrong value with the column. Messages never have the value, which may be personal. */
function named(column: ColumnMetadata, codec: ColumnCodec): ColumnCodec {
  const write = (value: unknown) => {
    try {
      return codec.write(value);
    } catch (error) {
      throw error instanceof RangeError ? new RangeError(`${nameOf(column)} ${error.message}`) : error;
    }
  };
  return { ...codec, write };
}

function plainKindOf(column: ColumnMetadata, type: string, isPostgres: boolean): ColumnKind {
  if (column.type === 'simple-json') return { codec: JSON_TEXT, isOrdered: false, isComparable: false };
  switch (type) {
    case 'json':
      return { codec: JSON_COLUMN, isOrdered: false, isComparable: false };
    case 'text':
    case 'varchar':
    case 'character varying':
      return { codec: plainText(column), isOrdered: false, isComparable: true };
    case 'bigint':
      return { codec: EXACT_INTEGER, isOrdered: true, isComparable: true };
    case 'integer':
      return { codec: INTEGER, isOrdered: true, isComparable: true };
    case 'boolean':
      return { codec: isPostgres ? POSTGRES_BOOLEAN : SQLITE_BOOLEAN, isOrdered: true, isComparable: true };
    case 'double precision':
      return { codec: DOUBLE, isOrdered: true, isComparable: true };
    case 'datetime':
    case 'timestamp without time zone':
      return { codec: timestamp(column), isOrdered: true, isComparable: true };
    case 'numeric':
    case 'decimal':
      return { codec: decimal(column), isOrdered: true, isComparable: true };
    default:
      throw entityError(
        column.entityMetadata,
        column.propertyName,
        `The type "${String(column.type)}" of ${nameOf(column)} differs between SQLite and PostgreSQL; use ${COLUMN_TYPES}.`,
      );
  }
}

/** SQLite would store a text or a fraction as it is. */
const EXACT_INTEGER: ColumnCodec = {
  write: (value) => {
    if (isInt64(value)) return value;
    throw new RangeError('must be a 64-bit integer, as a bigint');
  },
};

const INTEGER: ColumnCodec = {
  read: Number,
  write: (value) => {
    if (Number.isInteger(value) && (value as number) >= INT32_MIN && (value as number) <= INT32_MAX) return value;
    throw new RangeError('must be a 32-bit integer');
  },
};

const SQLITE_BOOLEAN: ColumnCodec = { read: Boolean, write: (value) => Number(assertBoolean(value)) };
const POSTGRES_BOOLEAN: ColumnCodec = { read: (cell) => cell === 't', write: (value) => String(assertBoolean(value)) };

/** SQLite would store any number, and NaN as null. */
function assertBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new RangeError('must be true or false');
}

/** SQLite would store NaN as null. */
const DOUBLE: ColumnCodec = {
  read: Number,
  write: (value) => {
    if (Number.isFinite(value)) return value;
    throw new RangeError('must be a finite number');
  },
};

/** UTC, in a form that both engines order by time. */
const TIMESTAMP: ColumnCodec = {
  read: (cell) => new Date(`${(cell as string).replace(' ', 'T')}Z`),
  write: (value) => {
    const text = value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : '';
    // Years before 0 and after 9999 begin with a sign; PostgreSQL has no year 0.
    if (/^(?!0000)\d/.test(text)) return text.slice(0, -1).replace('T', ' ');
    throw new RangeError('must be a valid Date between the years 1 and 9999');
  },
};

/** With more digits, a row that was inserted by hand could equal no Date, and pages would leave it out. */
function timestamp(column: ColumnMetadata): ColumnCodec {
  if (column.precision === MILLISECONDS) return TIMESTAMP;
  throw entityError(
    column.entityMetadata,
    column.propertyName,
    `A Date has milliseconds; give the precision of ${nameOf(column)} as ${MILLISECONDS}, here and in its migration.`,
  );
}

/**
 * PostgreSQL refuses a NUL, and both engines replace half of a surrogate pair. PostgreSQL counts characters, and SQLite does
 * not limit them.
 */
function plainText(column: ColumnMetadata): ColumnCodec {
  const length = column.length ? Number(column.length) : Infinity;
  return {
    write: (value) => {
      if (typeof value !== 'string') throw new RangeError('must be text');
      if (value.includes('\0')) throw new RangeError('must not contain a NUL character');
      if (!value.isWellFormed()) throw new RangeError('must not contain half of a surrogate pair');
      if (value.length <= length || Array.from(value).length <= length) return value;
      throw new RangeError(
        `must have at most ${length} characters; give its member a maxLength in openapi.yaml, or the column a greater length in the entity and a migration`,
      );
    },
  };
}

/** Text with all digits of the scale, as PostgreSQL writes it. SQLite stores a double. */
function decimal(column: ColumnMetadata): ColumnCodec {
  const { precision, scale } = column;
  if (!precision || precision > EXACT_DIGITS || scale === undefined) {
    throw entityError(
      column.entityMetadata,
      column.propertyName,
      `SQLite cannot store ${nameOf(column)} exactly; give it a precision of at most ${EXACT_DIGITS} and a scale.`,
    );
  }
  if (scale > precision) {
    throw entityError(
      column.entityMetadata,
      column.propertyName,
      `SQLite cannot store ${nameOf(column)} exactly; give it a scale of at most its precision.`,
    );
  }
  const whole = precision > scale ? `\\d{1,${precision - scale}}` : '0';
  const pattern = new RegExp(`^-?${whole}${scale > 0 ? `(\\.\\d{1,${scale}})?` : ''}$`);
  return {
    read: (cell) => (typeof cell === 'string' ? cell : Number(cell).toFixed(scale)),
    write: (value) => {
      if (typeof value === 'string' && pattern.test(value)) return value;
      throw new RangeError(
        `must be a decimal of at most ${precision} digits, ${scale} of them after the point, as text`,
      );
    },
  };
}

/** As in TypeORM, transformers also get null, the last one first when reading. */
function transformed(codec: ColumnCodec | undefined, transformers: readonly ValueTransformer[]): ColumnCodec {
  return {
    takesNull: true,
    read: (cell) => {
      const value: unknown = cell !== null && codec?.read ? codec.read(cell) : cell;
      return transformers.reduceRight<unknown>((result, transformer) => transformer.from(result), value);
    },
    write: (value) => {
      const stored = transformers.reduce<unknown>((result, transformer) => transformer.to(result), value) ?? null;
      return stored !== null && codec ? codec.write(stored) : stored;
    },
  };
}
