import type { Type } from '@nestjs/common';
import { TransformationType } from 'class-transformer';
import transformers from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, IS_OPTIONAL, type ValidationArguments, ValidationTypes } from 'class-validator';
import { hasType, isNestedField, isNestedRule, nestedDtoOf } from './nested-dto.js';
import { OwnRule } from './own-fields.js';
import { isPlainObject } from './plain-object.js';

type Plain = Record<string, unknown>;

/** By DTO: the names of the fields whose own rule need not run, because the contract has checked them. */
export type CheckedFields = ReadonlyMap<Type<object>, ReadonlySet<string>>;

/** Makes the DTO of received members; undefined when a rule is not met. */
export type ReadDto = (plain: Plain) => object | undefined;

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** A conversion that failed: a rule inside is not met. */
const UNMET = Symbol('unmet');

interface FieldReader {
  readonly name: string;
  /** Returns UNMET for an object or a list whose own rules are not met. */
  readonly convert: (value: unknown, plain: Plain) => unknown;
  readonly isValid: (value: unknown, dto: object) => boolean;
}

const ROUTINE = new Set<string>([
  ValidationTypes.CUSTOM_VALIDATION,
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.NESTED_VALIDATION,
]);

/**
 * Turns the decorators of a DTO into a list of checks, once: class-validator walks all metadata again for every request,
 * which costs more than everything else in it. Undefined for a DTO that uses more than plain rules and nested DTOs
 * (groups, `each`, asynchronous rules, `@Expose`, `@Exclude`, any other `@Type`). Does not copy undeclared members. The
 * contract has checked the fields in `checked`, whose own rules do not run again.
 */
export function compileDto(
  type: Type<object>,
  checked: CheckedFields = new Map(),
  containing: readonly Type<object>[] = [],
): ReadDto | undefined {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const names = [...new Set(rules.map((rule) => rule.propertyName))];
  if (rules.some((rule) => !isRoutine(rule)) || isShaped(type) || containing.includes(type)) return undefined;
  const own = checked.get(type);
  const needed = rules.filter((rule) => !(rule.context instanceof OwnRule && own?.has(rule.propertyName)));
  const fields: FieldReader[] = [];
  for (const name of names) {
    const convert = isShapedField(type, name) ? undefined : compileConversion(type, name, checked, containing);
    if (!convert) return undefined;
    fields.push({ name, convert, isValid: compileRules(type, name, needed) });
  }
  return (plain) => {
    const dto = new type() as Plain;
    for (const { name, convert } of fields) {
      if (!Object.hasOwn(plain, name)) continue;
      const value = convert(plain[name], plain);
      if (value === UNMET) return undefined;
      dto[name] = value;
    }
    return fields.every(({ name, isValid }) => isValid(dto[name], dto)) ? dto : undefined;
  };
}

function constraintsOf(rule: Rule) {
  return getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls);
}

function isRoutine(rule: Rule): boolean {
  return (
    ROUTINE.has(rule.type) &&
    // Nested DTOs in a list are checked one by one in any case.
    (!rule.each || isNestedRule(rule)) &&
    !rule.validateIf &&
    (rule.groups ?? []).length === 0 &&
    !constraintsOf(rule).some((constraint) => constraint.async)
  );
}

/** Whether class-transformer does more for a class than call the `@Transform` of its properties. */
function isShaped(type: Type<object>): boolean {
  return transformers.defaultMetadataStorage.getStrategy(type) !== 'none';
}

function isShapedField(type: Type<object>, name: string): boolean {
  const storage = transformers.defaultMetadataStorage;
  return (
    storage.findExposeMetadata(type, name) !== undefined ||
    storage.findExcludeMetadata(type, name) !== undefined ||
    conversionsOf(type, name).some(({ options }) => options && Object.keys(options).length > 0) ||
    // An accessor: only class-transformer knows whether it can be set.
    name in (type.prototype as object)
  );
}

/** The `@Transform`s of a member, in the order in which they run. */
export function conversionsOf(type: Type<object>, name: string) {
  return transformers.defaultMetadataStorage.findTransformMetadatas(type, name, TransformationType.PLAIN_TO_CLASS);
}

function compileRules(type: Type<object>, name: string, rules: readonly Rule[]): FieldReader['isValid'] {
  const own = rules.filter((rule) => rule.propertyName === name);
  const conditions = own
    .filter((rule) => rule.type === 'conditionalValidation')
    .map(({ constraints }) => constraints[0]);
  const checks = own.filter((rule) => rule.type === 'customValidation').flatMap((rule) => compileRule(type, rule));
  return (value, dto) =>
    checks.length === 0 ||
    conditions.some((applies: (dto: object, value: unknown) => boolean) => !applies(dto, value)) ||
    checks.every((check) => check(value, dto));
}

/** Undefined where class-transformer would do more than read nested DTOs or call the `@Transform` of the field. */
function compileConversion(
  type: Type<object>,
  name: string,
  checked: CheckedFields,
  containing: readonly Type<object>[],
): FieldReader['convert'] | undefined {
  const conversions = conversionsOf(type, name).map(({ transformFn }) => transformFn);
  if (hasType(type, name) || isNestedField(type, name)) {
    const nested = nestedDtoOf(type, name);
    if (!nested || nested.tagged || conversions.length > 0) return undefined;
    if (nested.container !== undefined && nested.container !== 'list') return undefined;
    const read = isAlwaysNested(type, name) && compileDto(nested.type, checked, [...containing, type]);
    return read ? nestedReader(read, nested.container === 'list') : undefined;
  }
  return (value, plain) => {
    let converted = value;
    for (const convert of conversions) {
      converted = convert({
        value: converted,
        key: name,
        obj: plain,
        type: TransformationType.PLAIN_TO_CLASS,
        options: {},
      });
    }
    return converted;
  };
}

/** A condition that is not met leaves the objects as they are; `@IsOptional()` is one that only null and undefined do not meet. */
function isAlwaysNested(type: Type<object>, name: string): boolean {
  return getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .filter((rule) => rule.propertyName === name && rule.type === ValidationTypes.CONDITIONAL_VALIDATION)
    .every((rule) => rule.name === IS_OPTIONAL);
}

/** Anything but such an object or list is left to Nest's pipe, which knows what class-transformer makes of it. */
function nestedReader(read: ReadDto, isList: boolean): FieldReader['convert'] {
  const readObject = (value: unknown) => (isPlainObject(value) ? (read(value) ?? UNMET) : UNMET);
  if (!isList) return readObject;
  return (value) => {
    if (!Array.isArray(value)) return UNMET;
    const items = value.map(readObject);
    return items.includes(UNMET) ? UNMET : items;
  };
}

/** A rule that returns a promise counts as not met. */
function compileRule(type: Type<object>, rule: Rule) {
  const { constraints, propertyName: property } = rule;
  return constraintsOf(rule).map(({ instance }) => (value: unknown, dto: object): boolean => {
    const args: ValidationArguments = { value, object: dto, property, constraints, targetName: type.name };
    return instance.validate(value, args) === true;
  });
}
