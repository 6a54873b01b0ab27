import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

/** A field that one of our own decorators declares. */
export interface OwnField {
  /** What its rule demands, as the contract writes it. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly isRequired: boolean;
}

const OWN_FIELD = 'own-field';

/** The context of a class-validator rule that demands no more than the schema of its field. */
export const COVERED_BY_SCHEMA = { isCoveredBySchema: true };

export function declareOwnField(field: OwnField): PropertyDecorator {
  return (prototype, name) => Reflect.defineMetadata(OWN_FIELD, field, prototype, name);
}

/** The members that a DTO takes: those with a rule. None for a type that is no DTO. */
export function ruledMembersOf(type: unknown): string[] {
  if (typeof type !== 'function') return [];
  return getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .map(({ propertyName }) => propertyName);
}

/** By name. */
export function ownFieldsOf(type: Type<object>): Map<string, OwnField> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const fields = rules.flatMap(({ propertyName }) => {
    const field = Reflect.getMetadata(OWN_FIELD, type.prototype as object, propertyName) as OwnField | undefined;
    return field ? [[propertyName, field] as const] : [];
  });
  return new Map(fields);
}
