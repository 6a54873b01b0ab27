import type { Type } from '@nestjs/common';
import { getMetadataStorage, IS_OPTIONAL, ValidationTypes } from 'class-validator';

/**
 * What one of our own decorators declares for a field. It is stored as the context of the class-validator rule, because
 * mapped types (`PickType`, `PartialType`) copy that, but not metadata of our own.
 */
export class OwnRule {
  constructor(
    /** What the rule demands, as the contract writes it. */
    readonly schema: Readonly<Record<string, unknown>>,
    /** Whether it demands more than that. */
    readonly isBeyondSchema: boolean,
    /** Whether the decorator converts a value before the rule sees it. */
    readonly isConverting: boolean,
  ) {}
}

/** The context of a condition that every value meets, unless it was not sent. */
export const WHEN_SENT = { isWhenSent: true };

/** A field that one of our own decorators declares. */
export interface OwnField {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly isRequired: boolean;
  /** Whether `@IsOptional()` lets null through. */
  readonly takesNull: boolean;
  /** Whether a value that meets the schema meets the rule. */
  readonly isCovered: boolean;
}

/** The members that a DTO takes: those with a rule. None for a type that is not a DTO. */
export function ruledMembersOf(type: unknown): string[] {
  return typeof type === 'function' ? [...new Set(rulesOf(type).map(({ propertyName }) => propertyName))] : [];
}

export function isDto(type: unknown): type is Type<object> {
  return ruledMembersOf(type).length > 0;
}

/** By name. */
export function ownFieldsOf(type: Type<object>): Map<string, OwnField> {
  const rules = rulesOf(type);
  const fields = rules.flatMap(({ propertyName, context }) => {
    if (!(context instanceof OwnRule)) return [];
    const conditions = rules.filter(
      (rule) => rule.propertyName === propertyName && rule.type === ValidationTypes.CONDITIONAL_VALIDATION,
    );
    const field: OwnField = {
      schema: context.schema,
      isRequired: conditions.length === 0,
      takesNull: conditions.some(({ name }) => name === IS_OPTIONAL),
      // Any other condition may demand a member that the schema does not require.
      isCovered:
        !context.isBeyondSchema && conditions.every((one) => one.name === IS_OPTIONAL || one.context === WHEN_SENT),
    };
    return [[propertyName, field] as const];
  });
  return new Map(fields);
}

function rulesOf(type: Function) {
  return getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
}
