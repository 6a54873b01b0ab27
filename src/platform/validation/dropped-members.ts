import type { Type } from '@nestjs/common';
import { TransformationType } from 'class-transformer';
import transformers from 'class-transformer/cjs/storage.js';

const TO_CLASS = TransformationType.PLAIN_TO_CLASS;

/** The decorator of class-transformer by which a DTO loses a member that it receives under its own name, if there is one. */
export function decoratorThatDrops(type: Type<object>, name: string): '@Exclude()' | '@Expose()' | undefined {
  const storage = transformers.defaultMetadataStorage;
  if (storage.getExcludedProperties(type, TO_CLASS).includes(name)) return '@Exclude()';
  const isExposed = storage.getExposedProperties(type, TO_CLASS).includes(name);
  if (!isExposed && storage.getStrategy(type) === 'excludeAll') return '@Exclude()';
  const { name: otherName = name, groups = [] } = storage.findExposeMetadata(type, name)?.options ?? {};
  // Nest's pipe names no groups. A member of another name is read from there.
  if (groups.length > 0 || (isExposed && otherName !== name)) return '@Expose()';
  // The value goes to the member that has this name.
  const taker = storage.findExposeMetadataByCustomName(type, name);
  return taker && taker.propertyName !== name ? '@Expose()' : undefined;
}

/** Whether `@Expose()` reads a member from one of another name. */
export function isRenamed(type: Type<object>, name: string): boolean {
  const { options } = transformers.defaultMetadataStorage.findExposeMetadata(type, name) ?? {};
  return (options?.name ?? name) !== name;
}

/** The member into which `@Expose()` reads one of another name, if there is one. */
export function memberReading(type: Type<object>, name: string): string | undefined {
  return transformers.defaultMetadataStorage.findExposeMetadataByCustomName(type, name)?.propertyName;
}

/** Whether class-transformer reads a member that was not sent, as undefined: it reads all that `@Expose()` lists. */
export function isReadUnsent(type: Type<object>, name: string): boolean {
  return transformers.defaultMetadataStorage.getExposedProperties(type, TO_CLASS).includes(name);
}
