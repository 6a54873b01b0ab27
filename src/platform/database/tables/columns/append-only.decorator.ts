import type { EntityMetadata } from 'typeorm';

const appendOnly = new WeakSet<object>();

/**
 * Declares that rows of an entity are never changed or removed: its table rejects updates and deletions, standbys serve its
 * reads, and `npm run db:copy` need not compare it again. Unless every entity of the table has it, standbys and the copy
 * assume that rows change.
 */
export function AppendOnly(): ClassDecorator {
  return (entity) => void appendOnly.add(entity);
}

export function isAppendOnly({ target }: Pick<EntityMetadata, 'target'>): boolean {
  return typeof target === 'function' && appendOnly.has(target);
}
