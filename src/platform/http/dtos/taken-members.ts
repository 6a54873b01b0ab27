import type { Type } from '@nestjs/common';
import type { DeclaredField, DeclaredFields } from '../../contract/requests/declared-fields.js';
import { StartError } from '../../process/start-error.js';
import { conversionsOf } from '../../validation/compile-dto.js';
import { decoratorThatDrops, memberReading } from '../../validation/dropped-members.js';
import { rulesByMember } from '../../validation/member-rules.js';
import { hasType, isNestedField, type NestedDto, nestedDtoOf } from '../../validation/nested-dto.js';
import { ruledMembersOf } from '../../validation/own-fields.js';
import { assertInitialValues, begin } from './initial-values.js';
import { assertUnnested } from './taken-classes.js';
import { assertAcceptsUnsent, assertRulesAccept } from './taken-rules.js';
import { assertMember, misfit } from './taken-values.js';
import type { Taker } from './taker.js';

interface Taking {
  /** What other parameters of the handler take. */
  readonly also?: readonly string[];
  /** Whether all values are text, as in paths. */
  readonly isText?: boolean;
  /** Whether code of the application may add members before the DTO is made. */
  readonly mayGainMembers?: boolean;
}

/** Throws a StartError unless a DTO keeps all declared members of an object, at any depth, with their types. */
export function assertTakes(
  type: Type<object>,
  declared: DeclaredFields,
  { also = [], isText = false, mayGainMembers = false }: Taking = {},
): void {
  const names = ruledMembersOf(type);
  const rules = rulesByMember(type);
  if (declared.others !== undefined) {
    throw new StartError(
      `${declared.others} further members are declared here, but ${type.name} drops them; take them without a DTO, or remove this.`,
    );
  }
  const taken = new Set([...names, ...also]);
  assertOwnNames(type, taken, declared);
  assertNamed(`${type.name} has no rule for it; give the member one there, such as @Allow()`, taken, declared);
  const begun = begin(type, declared);
  assertInitialValues(type, declared, begun);
  for (const name of names) {
    const field = declared.named.get(name);
    if (!field) {
      if (!mayGainMembers && !declared.required?.has(name))
        assertAcceptsUnsent(type, name, declared.position, begun, rules.get(name));
      continue;
    }
    assertKept(type, name, field);
    assertMember(type, name, field, isText);
    assertRulesAccept({ place: type.name, name, isText }, type, field, rules.get(name));
    if (!isNestedField(type, name)) {
      assertUnnested(type, name, field, isText);
      continue;
    }
    if (!hasType(type, name)) throw untyped(type, name, field);
    const nested = nestedDtoOf(type, name);
    if (!nested) continue;
    // A conversion may make objects of anything, and add to them.
    const isConverted = conversionsOf(type, name).length > 0;
    if (!isConverted) assertObjects({ place: type.name, name, isText }, field, nested.type);
    assertNested(`${type.name}.${name}`, nested, field, mayGainMembers || isConverted);
  }
}

function untyped(type: Type<object>, name: string, { position }: DeclaredField): StartError {
  const consequence =
    conversionsOf(type, name).length > 0
      ? 'so that nothing compares what @Transform() makes with the contract; replace @Transform() by @Type(() => ...) or, where the class depends on the value, by @Type((options) => ...)'
      : 'so it would lose all its members; add @Type(() => ...) with the class of its objects';
  return new StartError(`${position} ${name} has @ValidateNested() without @Type() in ${type.name}, ${consequence}.`);
}

/** Throws a StartError for a member whose class is for objects, or objects in a list, if it may be another value besides null. */
function assertObjects(taker: Taker, { position, types, itemTypes }: DeclaredField, type: Type<object>): void {
  const other = types.flatMap((one) => (one === 'array' ? itemTypes : one)).find((one) => one !== 'object');
  if (other !== undefined) throw misfit(taker, position, other, type.name);
}

/** A DTO may drop a readOnly member: no valid request contains one. */
function assertKept(type: Type<object>, name: string, { position, isReadOnly }: DeclaredField): void {
  const decorator = decoratorThatDrops(type, name);
  if (decorator === undefined || isReadOnly) return;
  throw new StartError(
    `${position} ${name} is declared here, but ${decorator} of class-transformer drops it from ${type.name}; change the decorator there, or remove the member here.`,
  );
}

function assertNested(place: string, nested: NestedDto, field: DeclaredField, mayGainMembers: boolean): void {
  const taking = { mayGainMembers };
  const inside = field.inside();
  if (nested.container === 'map') {
    const values = inside.insideOthers?.();
    if (values?.tagged && nested.tagged) {
      throw new StartError(
        `${field.position} the members are alternatives here, but @Type() of ${place} cannot choose among classes in a Map; take the object as a Record with @IsObject(), without @Type(), there.`,
      );
    }
    if (values) assertTakes(nested.type, values, taking);
  } else if (nested.tagged) assertAlternatives(place, field.position, nested, inside, taking);
  else assertTakes(nested.type, inside, taking);
}

/** Each alternative of the contract must have a class that keeps it. */
function assertAlternatives(
  place: string,
  position: string,
  { tagged: types = new Map(), tag: written, keepsTag }: NestedDto,
  { tagged, tag: declaredTag }: DeclaredFields,
  taking: Taking,
): void {
  const alternatives = tagged?.() ?? new Map<string, DeclaredFields>();
  if (alternatives.size > 0 && !keepsTag) {
    throw new StartError(
      `${position} @Type() of ${place} drops the property that tells the alternatives apart; add "keepDiscriminatorProperty: true" there.`,
    );
  }
  if (alternatives.size > 0 && written !== declaredTag) {
    throw new StartError(
      `${position} the property "${declaredTag}" tells the alternatives apart here, but "${written}" in @Type() of ${place}; name the same one.`,
    );
  }
  for (const [tag, declared] of alternatives) {
    const type = types.get(tag);
    if (!type) {
      throw new StartError(
        `${position} the alternative ${tag} is declared here, but @Type() of ${place} lacks it; add it there, or remove it here.`,
      );
    }
    assertTakes(type, declared, taking);
  }
  const undeclared = [...types.keys()].find((tag) => !alternatives.has(tag));
  if (undeclared === undefined) return;
  throw new StartError(
    `${position} @Type() of ${place} has the alternative ${undeclared}, which is not declared here with a discriminator; declare it here, or remove it there.`,
  );
}

/** A member with another name would be no member of the contract to any of the other checks. */
function assertOwnNames(type: Type<object>, names: ReadonlySet<string>, { named }: DeclaredFields): void {
  for (const [name, { position }] of named) {
    const member = memberReading(type, name);
    if (member === undefined || names.has(name)) continue;
    throw new StartError(
      `${position} ${name} is declared here, but @Expose() reads it into ${member} of ${type.name}; call that member ${name}, and remove @Expose().`,
    );
  }
}

/** `lacking` says what lacks the member, and what to do about it there. */
export function assertNamed(lacking: string, names: ReadonlySet<string>, declared: DeclaredFields): void {
  for (const [name, { position, isReadOnly }] of declared.named) {
    if (names.has(name) || isReadOnly) continue;
    throw new StartError(`${position} ${name} is declared here, but ${lacking}, or remove it here.`);
  }
}
