import { BadRequestException, type Type } from '@nestjs/common';
import { type TransformFnParams, TransformationType } from 'class-transformer';
import transformers from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, type ValidationArguments } from 'class-validator';

type Plain = Record<string, unknown>;

/** Makes the DTO of what was received. Throws 400 that names each violation. */
export type ReadDto = (plain: Plain) => object;

interface FieldReader {
  readonly name: string;
  readonly convert: (value: unknown, plain: Plain) => unknown;
  /** The violations of a value. */
  readonly check: (value: unknown, dto: object) => string[];
}

type ValidationMetadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

const ROUTINE = new Set(['customValidation', 'conditionalValidation']);

/**
 * Turns the decorators of a DTO, once, into a list of checks with class-validator's verdicts and messages; its own
 * machinery walks all metadata anew for every request, which costs more than everything else on the way. Undefined for
 * a DTO that uses more than plain rules (nested objects, groups, `each`, asynchronous rules, `@Type`, `@Expose`): that
 * one is left to class-validator itself. Undeclared members are not copied.
 */
export function compileDto(type: Type<object>): ReadDto | undefined {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const names = [...new Set(rules.map((rule) => rule.propertyName))];
  if (rules.some((rule) => !isRoutine(rule)) || names.some((name) => isShaped(type, name))) return undefined;

  const fields = names.map((name) => compileField(type, name, rules));
  return (plain) => {
    const dto = new type() as Plain;
    for (const { name, convert } of fields) {
      if (Object.hasOwn(plain, name)) dto[name] = convert(plain[name], plain);
    }
    const violations: string[] = [];
    for (const { name, check } of fields) violations.push(...check(dto[name], dto));
    if (violations.length > 0) throw new BadRequestException(violations);
    return dto;
  };
}

function isRoutine(rule: ValidationMetadata): boolean {
  const constraints = getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls);
  return (
    ROUTINE.has(rule.type) &&
    !rule.each &&
    !rule.validateIf &&
    (rule.groups ?? []).length === 0 &&
    !constraints.some((constraint) => constraint.async)
  );
}

/** Whether class-transformer would do more to a property than call its `@Transform`. */
function isShaped(type: Type<object>, name: string): boolean {
  return [
    transformers.defaultMetadataStorage.findTypeMetadata(type, name),
    transformers.defaultMetadataStorage.findExposeMetadata(type, name),
    transformers.defaultMetadataStorage.findExcludeMetadata(type, name),
  ].some((metadata) => metadata !== undefined);
}

function compileField(type: Type<object>, name: string, rules: ValidationMetadata[]): FieldReader {
  const own = rules.filter((rule) => rule.propertyName === name);
  const conditions = own.filter((rule) => rule.type === 'conditionalValidation');
  const checks = own.filter((rule) => rule.type === 'customValidation').flatMap((rule) => compileRule(type, rule));
  return {
    name,
    convert: compileConversion(type, name),
    check: (value, dto) =>
      conditions.every(({ constraints }) => (constraints[0] as (dto: object, value: unknown) => boolean)(dto, value))
        ? checks.map((check) => check(value, dto)).filter((violation) => violation !== undefined)
        : [],
  };
}

function compileConversion(type: Type<object>, name: string): FieldReader['convert'] {
  const metadata = transformers.defaultMetadataStorage.findTransformMetadatas(
    type,
    name,
    TransformationType.PLAIN_TO_CLASS,
  );
  const conversions = metadata.map(({ transformFn }) => transformFn);
  return (value, plain) => {
    let converted = value;
    for (const convert of conversions) {
      const parameters = {
        value: converted,
        key: name,
        obj: plain,
        type: TransformationType.PLAIN_TO_CLASS,
        options: {},
      };
      converted = convert(parameters satisfies TransformFnParams);
    }
    return converted;
  };
}

function compileRule(type: Type<object>, rule: ValidationMetadata) {
  return getMetadataStorage()
    .getTargetValidatorConstraints(rule.constraintCls)
    .map(({ instance }) => (value: unknown, dto: object): string | undefined => {
      const { propertyName: property, constraints } = rule;
      const args: ValidationArguments = { value, object: dto, property, constraints, targetName: type.name };
      if (instance.validate(value, args)) return undefined;
      const message = rule.message ?? instance.defaultMessage?.(args) ?? '';
      const text = typeof message === 'function' ? message(args) : message;
      return text
        .replaceAll(/\$constraint(\d+)/g, (_, number: string) => String(constraints[Number(number) - 1]))
        .replaceAll('$property', property);
    });
}
