import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy, ValidateIf } from 'class-validator';
import { OwnRule, WHEN_SENT } from './own-fields.js';
import { INT64_MAX, INT64_MIN, isInt64 } from '../values/int64.js';

/*
 * Each decorator declares a field once: its rule (class-validator), its type in the code (class-transformer) and its
 * documentation (@nestjs/swagger). Violations read "name must be ...".
 */

interface Rule {
  readonly name: string;
  readonly demand: string;
  readonly isValid: (value: unknown) => boolean;
  /** Applied before the check; returns a value that it cannot convert unchanged. */
  readonly convert?: (value: unknown) => unknown;
  readonly schema: ApiPropertyOptions;
  /** Whether the rule demands more than the schema, so that it runs even where the contract has checked the schema. */
  readonly isBeyondSchema?: boolean;
}

interface Presence {
  /** Default: true. */
  readonly required?: boolean;
}

function field(
  { name, demand, isValid, convert, schema, isBeyondSchema = false }: Rule,
  { required = true }: Presence = {},
): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ ...schema, required } as ApiPropertyOptions),
    ...(convert ? [Transform(({ value }) => convert(value))] : []),
    ...(required ? [] : [ValidateIf((_, value) => value !== undefined, { context: WHEN_SENT })]),
    ValidateBy(
      {
        name,
        validator: {
          validate: isValid,
          defaultMessage: (args) => (args?.value === undefined ? '$property is required' : `$property ${demand}`),
        },
      },
      { context: new OwnRule(withoutName(schema), isBeyondSchema, convert !== undefined) },
    ),
  );
}

/** The name of an enumeration is documentation. */
function withoutName(schema: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'enumName'));
}

/** Text without NUL, which PostgreSQL cannot store, and without lone surrogates, which are not valid Unicode. */
export function TextField(presence?: Presence): PropertyDecorator {
  return field(
    {
      name: 'text',
      demand: 'must be a string without NUL or unpaired surrogates',
      isValid: (value) => typeof value === 'string' && value.isWellFormed() && !value.includes('\0'),
      schema: { type: 'string', pattern: String.raw`^[^\u0000]*$` },
    },
    presence,
  );
}

/** An integer from -2^63 to 2^63 - 1 in any JSON notation; a bigint in the code. */
export function Int64Field(presence?: Presence): PropertyDecorator {
  return field(
    {
      name: 'int64',
      demand: `must be an integer from ${INT64_MIN} to ${INT64_MAX}`,
      isValid: isInt64,
      convert: (value) => (Number.isSafeInteger(value) ? BigInt(value as number) : value),
      schema: { type: 'integer', format: 'int64' },
    },
    presence,
  );
}

/** One of the values of an enumeration; `enumName` is the name of its schema in the contract. */
export function EnumField(values: Record<string, string>, enumName: string, presence?: Presence): PropertyDecorator {
  const allowed = Object.values(values);
  return field(
    {
      name: enumName,
      demand: `must be one of ${allowed.join(', ')}`,
      isValid: (value) => allowed.includes(value as string),
      schema: { enum: allowed, enumName },
    },
    presence,
  );
}

interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
}

/** An integer of the query string in canonical decimal. Initialise the property with the default. */
export function IntegerParameter({ minimum, maximum, default: fallback }: Bounds): PropertyDecorator {
  return field(
    {
      name: 'integer',
      demand: `must be an integer from ${minimum} to ${maximum}`,
      isValid: (value) => Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum,
      convert: (value) => (typeof value === 'string' && /^(0|-?[1-9]\d{0,14})$/.test(value) ? Number(value) : value),
      schema: { type: 'integer', minimum, maximum, default: fallback },
    },
    { required: false },
  );
}

/** The start of a page, as a token; `parse` returns undefined for an invalid one. */
export function CursorParameter(parse: (token: string) => bigint | undefined): PropertyDecorator {
  return field(
    {
      name: 'cursor',
      demand: 'must come from the Link header of the previous page',
      isValid: (value) => typeof value === 'bigint',
      convert: (value) => (typeof value === 'string' ? (parse(value) ?? value) : value),
      schema: { type: 'string', pattern: String.raw`^(0|-?[1-9]\d{0,18})-(0|[1-9]\d{0,9})$` },
      isBeyondSchema: true,
    },
    { required: false },
  );
}
