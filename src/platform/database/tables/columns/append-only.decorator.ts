import type { EntityMetadata } from 'typeorm';

const appendOnly = new WeakSet<object>();

/**
 * Declares that rows of an entity are never changed or removed: then its table has no way to do so, standbys serve its
 * reads, and `npm run db:copy` need not compare it again. Without it, both assume that rows change; so do they when
 * another entity of the same table is without it.
 */
export function AppendOnly(): ClassDecorator {
  return (entity) => void appendOnly.add(entity);
}

export function isAppendOnly({ target }: Pick<EntityMetadata, 'target'>): boolean {
  return typeof target === 'function' && appendOnly.has(target);
}
