import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { placeInSource } from '../../../process/place-in-source.js';
import { StartError } from '../../../process/start-error.js';

/** A refusal of an entity, or of one of its properties, which begins with file and line where the sources exist. */
export function entityError(
  { name }: Pick<EntityMetadata, 'name'>,
  property: string | undefined,
  sentence: string,
): StartError {
  const place = placeInSource(name, property);
  return new StartError(place === undefined ? sentence : `${place} ${sentence}`);
}

/** `Entity.property`, as in the code. */
export function nameOf({ entityMetadata, propertyName }: ColumnMetadata): string {
  return `${entityMetadata.name}.${propertyName}`;
}
