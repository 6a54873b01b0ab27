import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

/** The type that an entity declares for a column, as PostgreSQL's format_type writes it. */
export function declaredType(column: ColumnMetadata): string {
  const { length, precision, scale } = column;
  const type = column.entityMetadata.dataSource.driver.normalizeType(column);
  return withModifiers(type, length, precision, scale);
}

function withModifiers(type: string, length: string, precision?: number | null, scale?: number): string {
  switch (type) {
    case 'character varying':
      return length ? `${type}(${length})` : 'text';
    case 'numeric':
      return `${type}(${precision},${scale})`;
    case 'timestamp without time zone':
      return `timestamp(${precision}) without time zone`;
    default:
      return type;
  }
}
