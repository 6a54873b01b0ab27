import type { Type } from '@nestjs/common';
import transformers from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, ValidationTypes } from 'class-validator';

/** What `@ValidateNested()` and `@Type()` declare for a field of a DTO. */
export interface NestedDto {
  /** The class of its object, or of the objects in its list, Set or Map. */
  readonly type: Type<object>;
  readonly container?: 'list' | 'set' | 'map';
  /** The classes to choose from, by the value of the property that tells them apart. */
  readonly tagged?: ReadonlyMap<string, Type<object>>;
  /** The name of that property. */
  readonly tag?: string;
  /** Whether class-transformer leaves that property in the object. */
  readonly keepsTag: boolean;
}

export function isNestedRule({ type }: { readonly type: string }): boolean {
  return type === ValidationTypes.NESTED_VALIDATION;
}

export function isNestedField(type: Type<object>, name: string): boolean {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return rules.some((rule) => rule.propertyName === name && isNestedRule(rule));
}

export function hasType(type: Type<object>, name: string): boolean {
  return transformers.defaultMetadataStorage.findTypeMetadata(type, name) !== undefined;
}

/** The class that `@Type()` gives to a field. Undefined without one, or when it depends on the value. */
export function typeOf(type: Type<object>, name: string): Type<object> | undefined {
  const metadata = transformers.defaultMetadataStorage.findTypeMetadata(type, name);
  if (!metadata) return undefined;
  const { typeFunction, reflectedType } = metadata;
  return (typeFunction ? constantOf(typeFunction) : reflectedType) as Type<object> | undefined;
}

/** What the function of a `@Type()` returns without a look at its argument: `(type) => Owner` names one, and does not use it. */
function constantOf(typeFunction: (options: object) => unknown): unknown {
  let dependsOnValue = false;
  const options = new Proxy({}, { get: () => void (dependsOnValue = true) });
  try {
    const type = typeFunction(options);
    return dependsOnValue ? undefined : type;
  } catch (error) {
    if (dependsOnValue) return undefined;
    throw error;
  }
}

/** Whether `@Type()` makes an object of some class of the application, instead of a value such as a date. */
export function makesObjects(type: Type<object>, name: string): boolean {
  const metadata = transformers.defaultMetadataStorage.findTypeMetadata(type, name);
  if (!metadata) return false;
  return metadata.options?.discriminator !== undefined || !VALUE_TYPES.has(typeOf(type, name));
}

/** The types that class-transformer makes itself. */
const VALUE_TYPES = new Set<unknown>([String, Number, Boolean, BigInt, Symbol, Date, Buffer, Object, Array, Set, Map]);

/** Undefined for a field that lacks either decorator, or whose class depends on the value. */
export function nestedDtoOf(type: Type<object>, name: string): NestedDto | undefined {
  const nestedType = typeOf(type, name);
  const metadata = transformers.defaultMetadataStorage.findTypeMetadata(type, name);
  if (!nestedType || !isNestedField(type, name)) return undefined;
  const { discriminator, keepDiscriminatorProperty = false } = metadata?.options ?? {};
  const tagged = discriminator?.subTypes.map(({ name: tag, value }) => [tag, value as Type<object>] as const);
  const container = CONTAINERS.get(metadata?.reflectedType);
  return {
    type: nestedType,
    keepsTag: keepDiscriminatorProperty,
    ...(container && { container }),
    ...(discriminator && { tag: discriminator.property }),
    ...(tagged && { tagged: new Map(tagged) }),
  };
}

const CONTAINERS = new Map<unknown, NestedDto['container']>([
  [Array, 'list'],
  [Set, 'set'],
  [Map, 'map'],
]);
