import type { Type } from '@nestjs/common';
import { TransformationType } from 'class-transformer';
import transformers from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, type ValidationArguments } from 'class-validator';
import { COVERED_BY_SCHEMA } from './own-fields.js';

type Plain = Record<string, unknown>;

/** Makes the DTO of received members; undefined when a rule is not met. */
export type ReadDto = (plain: Plain) => object | undefined;

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

interface FieldReader {
  readonly name: string;
  readonly convert: (value: unknown, plain: Plain) => unknown;
  readonly isValid: (value: unknown, dto: object) => boolean;
}

const ROUTINE = new Set(['customValidation', 'conditionalValidation']);

/**
 * Turns the decorators of a DTO into a list of checks, once: class-validator walks all metadata again for every request,
 * which costs more than everything else in it. Undefined for a DTO that uses more than plain rules (nested objects,
 * groups, `each`, asynchronous rules, `@Type`, `@Expose`, `@Exclude`). Does not copy undeclared members. The contract has
 * checked the fields in `checked`, whose own rules do not run again.
 */
export function compileDto(type: Type<object>, checked: ReadonlySet<string> = new Set()): ReadDto | undefined {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const names = [...new Set(rules.map((rule) => rule.propertyName))];
  if (rules.some((rule) => !isRoutine(rule)) || isShaped(type) || names.some((name) => isShapedField(type, name))) {
    return undefined;
  }
  const needed = rules.filter((rule) => !(rule.context === COVERED_BY_SCHEMA && checked.has(rule.propertyName)));
  const fields = names.map((name) => compileField(type, name, needed));
  return (plain) => {
    const dto = new type() as Plain;
    for (const { name, convert } of fields) {
      if (Object.hasOwn(plain, name)) dto[name] = convert(plain[name], plain);
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
    !rule.each &&
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
    storage.findTypeMetadata(type, name) !== undefined ||
    storage.findExposeMetadata(type, name) !== undefined ||
    storage.findExcludeMetadata(type, name) !== undefined ||
    conversionsOf(type, name).some(({ options }) => options && Object.keys(options).length > 0) ||
    // An accessor: only class-transformer knows whether it can be set.
    name in (type.prototype as object)
  );
}

function conversionsOf(type: Type<object>, name: string) {
  return transformers.defaultMetadataStorage.findTransformMetadatas(type, name, TransformationType.PLAIN_TO_CLASS);
}

function compileField(type: Type<object>, name: string, rules: readonly Rule[]): FieldReader {
  const own = rules.filter((rule) => rule.propertyName === name);
  const conditions = own
    .filter((rule) => rule.type === 'conditionalValidation')
    .map(({ constraints }) => constraints[0]);
  const checks = own.filter((rule) => rule.type === 'customValidation').flatMap((rule) => compileRule(type, rule));
  return {
    name,
    convert: compileConversion(type, name),
    isValid: (value, dto) =>
      checks.length === 0 ||
      conditions.some((applies: (dto: object, value: unknown) => boolean) => !applies(dto, value)) ||
      checks.every((check) => check(value, dto)),
  };
}

function compileConversion(type: Type<object>, name: string): FieldReader['convert'] {
  const conversions = conversionsOf(type, name).map(({ transformFn }) => transformFn);
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

/** A rule that returns a promise counts as not met. */
function compileRule(type: Type<object>, rule: Rule) {
  const { constraints, propertyName: property } = rule;
  return constraintsOf(rule).map(({ instance }) => (value: unknown, dto: object): boolean => {
    const args: ValidationArguments = { value, object: dto, property, constraints, targetName: type.name };
    return instance.validate(value, args) === true;
  });
}
