import type { EntityMetadata } from 'typeorm';

/**
 * The names of the tables with ids whose rows the database deletes together with rows of this one, across any number of
 * foreign keys. May contain the table itself.
 */
export function cascadesOf({ dataSource, tableName }: EntityMetadata): string[] {
  const reached = new Map<string, EntityMetadata>();
  const names = [tableName];
  // The loop also takes the names that it adds.
  for (const name of names) {
    const deleted = dataSource.entityMetadatas.filter(
      (entity) => !reached.has(entity.tableName) && entity.foreignKeys.some((key) => cascadesFrom(name, key)),
    );
    for (const entity of deleted) {
      reached.set(entity.tableName, entity);
      names.push(entity.tableName);
    }
  }
  return [...reached].filter(([, entity]) => hasId(entity)).map(([name]) => name);
}

function cascadesFrom(
  name: string,
  { onDelete, referencedEntityMetadata }: EntityMetadata['foreignKeys'][number],
): boolean {
  return onDelete === 'CASCADE' && referencedEntityMetadata.tableName === name;
}

const hasId = ({ columns }: EntityMetadata): boolean => columns.some(({ propertyName }) => propertyName === 'id');
