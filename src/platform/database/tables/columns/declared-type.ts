import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

/** The type that an entity declares for a column, as PostgreSQL's format_type writes it, and whether it may be null. */
export function declaredType(column: ColumnMetadata): string {
  const { length, precision, scale, isNullable } = column;
  const type = column.entityMetadata.dataSource.driver.normalizeType(column);
  return typeText(withModifiers(type, length, precision, scale), !isNullable);
}

/** Both kinds of text are the same without a limit. */
export function typeText(type: string, isRequired: boolean): string {
  return `${type === 'character varying' ? 'text' : type}${isRequired ? ' not null' : ''}`;
}

function withModifiers(type: string, length: string, precision?: number | null, scale?: number): string {
  switch (type) {
    case 'character varying':
      return length ? `${type}(${length})` : type;
    case 'numeric':
      return `${type}(${precision},${scale})`;
    case 'timestamp without time zone':
      return `timestamp(${precision}) without time zone`;
    default:
      return type;
  }
}
