import type { DataSource } from 'typeorm';

/** Of all migrations that this release has. */
export function migrationNames(dataSource: DataSource): string[] {
  return (dataSource.options.migrations as { name: string }[]).map(({ name }) => name);
}
