import type { Type } from '@nestjs/common';
import transformers from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, ValidationTypes } from 'class-validator';

/** What `@ValidateNested()` and `@Type()` say of a field of a DTO. */
export interface NestedDto {
  /** The class of its object, or of the objects in its list. */
  readonly type: Type<object>;
  readonly isList: boolean;
  /** The classes to choose from, by the value of the property that tells them apart. */
  readonly tagged?: ReadonlyMap<string, Type<object>>;
}

export function isNestedRule({ type }: { readonly type: string }): boolean {
  return type === ValidationTypes.NESTED_VALIDATION;
}

export function isNestedField(type: Type<object>, name: string): boolean {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return rules.some((rule) => rule.propertyName === name && isNestedRule(rule));
}

/** What `@Type()` makes of a field, if anything. */
export function conversionOf(type: Type<object>, name: string): unknown {
  return transformers.defaultMetadataStorage.findTypeMetadata(type, name)?.typeFunction();
}

/** Undefined for a field that lacks either decorator. */
export function nestedDtoOf(type: Type<object>, name: string): NestedDto | undefined {
  const nested = transformers.defaultMetadataStorage.findTypeMetadata(type, name);
  if (!nested || !isNestedField(type, name)) return undefined;
  const subTypes = nested.options?.discriminator?.subTypes;
  return {
    type: nested.typeFunction() as Type<object>,
    isList: nested.reflectedType === Array,
    ...(subTypes && { tagged: new Map(subTypes.map(({ name: tag, value }) => [tag, value as Type<object>])) }),
  };
}
