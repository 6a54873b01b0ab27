import type { Type } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/internal';
import type { RequestHandler } from 'express';
import type { DeclaredField, DeclaredFields } from '../../contract/requests/declared-fields.js';
import { StartError } from '../../process/start-error.js';
import { hasType, isNestedField, type NestedDto, nestedDtoOf, typeOf } from '../../validation/nested-dto.js';
import { ruledMembersOf } from '../../validation/own-fields.js';
import type { OperationRoute } from '../request/operation-route.js';
import { handlerOf } from './handler-parameters.js';

/**
 * Throws a StartError for a member or parameter that is declared and that the DTO of the handler lacks, at any depth: it
 * would be dropped; and for an integer that the handler takes as a number that rounds it. A handler without a DTO may read
 * what it does not name from the request, or with a decorator of its own.
 */
export function assertTaken(handler: RequestHandler, { bodyFields, queryFields, pathFields }: OperationRoute): void {
  const { parameters } = handlerOf(handler);
  for (const { kind, member, type } of parameters) {
    if (kind !== RouteParamtypes.PARAM) continue;
    if (member !== undefined) assertHolds(handler.name, pathFields, member as string, type);
    else if (isDto(type)) assertNumbers(type, pathFields);
  }
  const mayReadMore = parameters.some(({ kind }) => Number.isNaN(kind) || kind === RouteParamtypes.REQUEST);
  for (const [kind, declared] of [
    [RouteParamtypes.BODY, bodyFields],
    [RouteParamtypes.QUERY, queryFields],
  ] as const) {
    const ofKind = parameters.filter((parameter) => parameter.kind === kind);
    const wholes = ofKind.filter(({ member }) => member === undefined).map(({ type }) => type);
    const members = ofKind.flatMap(({ member, type }) =>
      member === undefined ? [] : [{ name: member as string, type }],
    );
    for (const { name, type } of members) {
      const field = declared.named.get(name);
      if (field && isDto(type)) assertTakes(type, field.inside());
      assertHolds(handler.name, declared, name, type);
    }
    // A parameter without rules is everything.
    const isEverything = wholes.some((type) => !isDto(type));
    if (ofKind.length === 0 || isEverything) continue;
    const names = [...wholes.flatMap(ruledMembersOf), ...members.map(({ name }) => name)];
    for (const dto of wholes.filter(isDto)) assertTakes(dto, declared, names);
    if (wholes.length === 0 && !mayReadMore) assertNamed(`${handler.name} does not take`, new Set(names), declared);
  }
}

function isDto(type: unknown): type is Type<object> {
  return ruledMembersOf(type).length > 0;
}

/** Throws a StartError unless a DTO, or what has the names in `also`, keeps all that is declared of an object. */
function assertTakes(type: Type<object>, declared: DeclaredFields, also: readonly string[] = []): void {
  const names = ruledMembersOf(type);
  if (declared.others !== undefined) {
    throw new StartError(
      `${declared.others} further members are declared here, but ${type.name} drops them; take them without a DTO, or remove this.`,
    );
  }
  assertNamed(`${type.name} lacks`, new Set([...names, ...also]), declared);
  assertNumbers(type, declared);
  for (const name of names) {
    const field = declared.named.get(name);
    if (!field || !isNestedField(type, name)) continue;
    if (!hasType(type, name)) {
      throw new StartError(
        `${field.position} ${name} has @ValidateNested() without @Type() in ${type.name}, so it would lose all its members; add @Type(() => ...) with the class of its objects.`,
      );
    }
    const nested = nestedDtoOf(type, name);
    if (nested) assertNested(`${type.name}.${name}`, nested, field);
  }
}

function assertNested(place: string, nested: NestedDto, field: DeclaredField): void {
  const inside = field.inside();
  if (nested.container === 'map') {
    const values = inside.insideOthers?.();
    if (values) assertTakes(nested.type, values);
  } else if (nested.tagged) assertAlternatives(place, field.position, nested, inside);
  else assertTakes(nested.type, inside);
}

function assertNumbers(type: Type<object>, declared: DeclaredFields): void {
  for (const name of ruledMembersOf(type)) assertHolds(type.name, declared, name, typeOf(type, name));
}

/** Throws a StartError for an integer that would be rounded. */
function assertHolds(place: string, declared: DeclaredFields, name: string, type: unknown): void {
  const field = declared.named.get(name);
  if (type !== Number || !field?.exceedsNumber) return;
  throw new StartError(
    `${field.position} ${name} may be beyond 2^53 here, but ${place} makes it a number, which loses digits; take it with a pipe or a field that keeps them, or limit it here.`,
  );
}

/** Each alternative of the contract must have a class that keeps it. */
function assertAlternatives(
  place: string,
  position: string,
  { tagged: types = new Map(), keepsTag }: NestedDto,
  { tagged }: DeclaredFields,
): void {
  const alternatives = tagged?.() ?? new Map<string, DeclaredFields>();
  if (alternatives.size > 0 && !keepsTag) {
    throw new StartError(
      `${position} @Type() of ${place} drops the property that tells the alternatives apart; add "keepDiscriminatorProperty: true" there.`,
    );
  }
  for (const [tag, declared] of alternatives) {
    const type = types.get(tag);
    if (!type) {
      throw new StartError(
        `${position} the alternative ${tag} is declared here, but @Type() of ${place} lacks it; add it there, or remove it here.`,
      );
    }
    assertTakes(type, declared);
  }
  const undeclared = [...types.keys()].find((tag) => !alternatives.has(tag));
  if (undeclared === undefined) return;
  throw new StartError(
    `${position} @Type() of ${place} has the alternative ${undeclared}, which is not declared here with a discriminator; declare it here, or remove it there.`,
  );
}

function assertNamed(lacking: string, names: ReadonlySet<string>, declared: DeclaredFields): void {
  for (const [name, { position, isReadOnly }] of declared.named) {
    if (names.has(name) || isReadOnly) continue;
    throw new StartError(`${position} ${name} is declared here, but ${lacking} it; add it there, or remove it here.`);
  }
}
