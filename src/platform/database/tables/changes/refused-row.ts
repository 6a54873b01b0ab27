import type { TableDescription } from '../columns/table-columns.js';
import { driverErrorOf } from '../driver-error.js';

/** What the database says of a statement that broke a rule of a table; undefined where it does not say. */
export interface BrokenRule {
  readonly table?: string;
  /** The column that is null. */
  readonly column?: string;
  readonly check?: string;
}

/** A row that breaks a rule which the entity declares: a mistake of the code or the contract, so it ends in a 500. */
class RowRefused extends Error {
  override readonly name = 'RowRefused';
  /** As in an error of TypeORM: callers read the database's code from it. */
  readonly driverError: Error;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.driverError = driverErrorOf(cause);
  }
}

/** The error to throw for a statement for a row of `table`, in the words of its entity where the entity declares the rule. */
export function refusedRow(
  error: unknown,
  { name, entity, columns, checks }: TableDescription,
  rule: BrokenRule,
): unknown {
  // A trigger may change other tables.
  if (rule.table !== undefined && rule.table !== name) return error;
  const column = columns.find((one) => one.name === rule.column);
  if (column) {
    return new RowRefused(
      `${entity}.${column.property} must not be null; set it, or require its member in openapi.yaml, or declare it nullable in the entity and its migration`,
      error,
    );
  }
  const check = checks.find((one) => one.name === rule.check);
  if (!check) return error;
  return new RowRefused(
    `A row breaks the check (${check.expression}) of ${entity}; refuse such values in openapi.yaml or the service first, or change the check in the entity and its migration`,
    error,
  );
}
