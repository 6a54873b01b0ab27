/** A table as the database has it; without columns if it does not exist. Constraints are texts, which can be compared. */
export interface ExistingTable {
  readonly columns: ReadonlyMap<string, ExistingColumn>;
  /** The columns of the primary key, as `columnsText` writes them. */
  readonly key: string;
  /** As `uniqueText` writes them. */
  readonly uniques: ReadonlySet<string>;
  /** As `foreignKeyText` writes them. */
  readonly foreignKeys: ReadonlySet<string>;
  /** The names of CHECK constraints, which follow their expressions. */
  readonly checks: ReadonlySet<string>;
  /** Unique keys that drop or replace a row instead of reporting a conflict, which only SQLite has. */
  readonly silentConflicts: readonly string[];
}

export interface ExistingColumn {
  /** As messages show it. */
  readonly type: string;
  /** Whether it stores values as a column of the declared type does. */
  stores(declared: string): boolean;
  readonly isRequired: boolean;
  /** Whether the database gives it a value in a row that is inserted without one. */
  readonly isFilled: boolean;
  /** Whether the database refuses any other value than its own. */
  readonly isGenerated: boolean;
}

interface ForeignKeyFacts {
  readonly columns: readonly string[];
  readonly target: string;
  readonly targetColumns: readonly string[];
  readonly onDelete?: string | undefined;
  readonly onUpdate?: string | undefined;
}

/** The order of columns does not change what is unique. */
export function columnsText(columns: readonly string[]): string {
  return columns.toSorted().join(', ');
}

/** `name` is that of an index of some rows, which follows its condition. */
export function uniqueText(columns: readonly string[], name?: string): string {
  return `a unique index of ${columnsText(columns)}${name === undefined ? '' : ` where the condition of ${name} holds`}`;
}

export function foreignKeyText(facts: ForeignKeyFacts): string {
  const { columns, target, targetColumns, onDelete = 'NO ACTION', onUpdate = 'NO ACTION' } = facts;
  const pairs = columns.map((name, index) => `${name} to ${target}.${targetColumns[index]}`);
  const actions = `on delete ${onDelete}, on update ${onUpdate}`.toLowerCase();
  return `a foreign key of ${pairs.toSorted().join(', ')} (${actions})`;
}
