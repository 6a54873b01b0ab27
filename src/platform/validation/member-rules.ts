import type { Type } from '@nestjs/common';
import * as classValidator from 'class-validator';
import { loneMember } from './lone-member.js';
import { isNestedRule } from './nested-dto.js';
import { OwnRule } from './own-fields.js';

/** A rule of class-validator for a member of a DTO, which can be tried with a value before there is a request. */
export interface MemberRule {
  /** As class-validator names it: `isInt`, `max`. */
  readonly name: string;
  /** What one of our own decorators demands with it. */
  readonly own?: OwnRule;
  /** Whether it applies to each item of a list, instead of the list. */
  readonly isOfItems: boolean;
  /** The arguments of its decorator. */
  readonly constraints: readonly unknown[];
  /** Whether a value meets it. Leaves out the conditions under which it applies. */
  readonly accepts: (value: unknown) => boolean;
  /** Whether it refuses a value, whatever the other members are. False where that is not known. */
  readonly refuses: (value: unknown) => boolean;
}

type Metadata = ReturnType<ReturnType<typeof storage>['getTargetValidationMetadatas']>[number];

/** What class-validator exports as a text is the name of one of its rules. */
const NAMES = new Set<unknown>(Object.values(classValidator).filter((value) => typeof value === 'string'));

/**
 * The rules of class-validator itself, and our own, for each member of a DTO. Those of the application are left out: they
 * may depend on what it knows only later.
 */
export function rulesByMember(type: Type<object>): ReadonlyMap<string, MemberRule[]> {
  const rules = new Map<string, MemberRule[]>();
  const all = storage().getTargetValidationMetadatas(type, '', false, false);
  const conditions = all.filter((one) => one.type === classValidator.ValidationTypes.CONDITIONAL_VALIDATION);
  for (const one of all) {
    const own = one.context instanceof OwnRule ? one.context : undefined;
    if (conditions.includes(one) || !(own || isNestedRule(one) || NAMES.has(one.name))) continue;
    const { propertyName: member } = one;
    const ofMember = conditions.filter(({ propertyName }) => propertyName === member);
    const accepts = acceptanceOf(type, one);
    const lists = listingOf(one, accepts);
    const rule: MemberRule = {
      name: one.name ?? one.type,
      ...(own && { own }),
      isOfItems: one.each,
      constraints: one.constraints ?? [],
      accepts,
      refuses: (value) => !lists(value) && applies(one, ofMember, value) && !accepts(value),
    };
    rules.set(member, [...(rules.get(member) ?? []), rule]);
  }
  return rules;
}

/** These accept what their first argument lists. */
const LISTING = new Set<unknown>([classValidator.IS_IN, classValidator.IS_ENUM]);
/** Values of a list that is so short that each may be tried. */
const SHORT = 100;

/**
 * Tells whether a rule with a long list names a value itself. Both rules search their list from the start for each value, so
 * that trying all of them would take quadratic time.
 */
function listingOf(
  { name, each, constraints }: Metadata,
  accepts: (value: unknown) => boolean,
): (value: unknown) => boolean {
  const list: unknown[] = LISTING.has(name) ? Object.values(Object(constraints?.[0])) : [];
  if (list.length <= SHORT) return () => false;
  // A rule of the application may have the same name.
  const samples = [list[0], list.at(-1)].map((value) => (each ? [value] : value));
  if (!samples.every(accepts)) return () => false;
  const listed = new Set(list);
  return (value) => (each && Array.isArray(value) ? value.every((item) => listed.has(item)) : listed.has(value));
}

function storage() {
  return classValidator.getMetadataStorage();
}

/** Whether a rule applies to a value, whatever the other members are. False where that is not known. */
function applies(rule: Metadata, conditions: readonly Metadata[], value: unknown): boolean {
  const { object, isAskedForMore } = loneMember(rule.propertyName, value);
  try {
    const all = [...conditions.map(({ constraints }) => constraints[0]), rule.validateIf ?? (() => true)];
    return all.every((one: (dto: object, value: unknown) => boolean) => one(object, value)) && !isAskedForMore();
  } catch {
    // A condition that expects more than one member.
    return false;
  }
}

/** Tells whether a value meets a rule. */
function acceptanceOf(type: Type<object>, rule: Metadata): (value: unknown) => boolean {
  if (isNestedRule(rule)) return (value) => ![value].flat().includes(null);
  const { propertyName: property, constraints } = rule;
  // Finding them takes longer than most rules.
  let validators: classValidator.ValidatorConstraintInterface[] | undefined;
  return (value) => {
    validators ??= storage()
      .getTargetValidatorConstraints(rule.constraintCls)
      .map(({ instance }) => instance);
    const { object, isAskedForMore } = loneMember(property, value);
    const args = { value, object, property, constraints, targetName: type.name };
    const values: unknown[] = rule.each && Array.isArray(value) ? value : [value];
    try {
      // A rule of the application may have the name of another one.
      return validators.every((one) => values.every((item) => one.validate(item, args) !== false)) || isAskedForMore();
    } catch {
      // The request would fail, unless the rule expects more than one member.
      return isAskedForMore();
    }
  };
}
