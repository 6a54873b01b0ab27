import type { Type } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/internal';
import type { RequestHandler } from 'express';
import type { DeclaredField, DeclaredFields } from '../../contract/requests/declared-fields.js';
import { StartError } from '../../process/start-error.js';
import type { CheckedFields } from '../../validation/compile-dto.js';
import { nestedDtoOf } from '../../validation/nested-dto.js';
import { type OwnField, ownFieldsOf, ruledMembersOf } from '../../validation/own-fields.js';
import type { OperationRoute } from '../request/operation-route.js';
import { handlerOf } from './handler-parameters.js';
import { keepNamesOfItems } from './handler-pipes.js';
import { assertSet, assertTaken } from './taken-parameters.js';
import { assertPipesAccept } from './tried-pipes.js';

/**
 * Compares the fields of DTOs that our own decorators declare with the contract, at any depth. Throws a StartError for one
 * that differs. If a handler outside the contract takes a DTO as well, all rules of that DTO run.
 */
export async function checkedFields(
  routes: readonly OperationRoute[],
  others: readonly RequestHandler[],
  hasMiddleware: boolean,
): Promise<CheckedFields> {
  const checked = new Map<Type<object>, Set<string>>();
  for (const route of routes) {
    const handler = route.handler!; // Called only when every operation has one.
    assertTaken(handler, route);
    if (!hasMiddleware) assertSet(handler, route);
    for (const { allPipes } of handlerOf(handler).parameters) keepNamesOfItems(allPipes);
    await assertPipesAccept(handler, route);
    for (const { type, declared } of dtosOf(handler, route)) {
      const own = [...ownFieldsOf(type)];
      for (const [name, field] of own) assertSame(type, name, field, declared?.named.get(name));
      const covered = own.filter(([, { isCovered }]) => isCovered).map(([name]) => name);
      const same = covered.filter((name) => declared?.named.get(name)?.schema);
      const before = checked.get(type);
      checked.set(type, new Set(before ? same.filter((name) => before.has(name)) : same));
    }
  }
  const elsewhere = [
    ...routes.flatMap(({ handler }) => pathDtosOf(handler!)), // Every operation has one.
    ...others.flatMap((handler) => dtosOf(handler).map(({ type }) => type)),
  ];
  for (const type of elsewhere) if (checked.has(type)) checked.set(type, new Set());
  return checked;
}

/** All rules of these run: the contract checks a path after the pipes, and may accept more than the DTO. */
function pathDtosOf(handler: RequestHandler): Type<object>[] {
  return handlerOf(handler)
    .parameters.filter(({ kind }) => kind === RouteParamtypes.PARAM)
    .map(({ type }) => type as Type<object>);
}

interface Dto {
  readonly type: Type<object>;
  readonly declared?: DeclaredFields;
}

/** The classes of bodies, queries and of the objects in them, with what the contract declares of each. */
function dtosOf(handler: RequestHandler, route?: OperationRoute): Dto[] {
  return handlerOf(handler).parameters.flatMap(({ kind, member, type }) => {
    if (ruledMembersOf(type).length === 0) return [];
    const all = kind === RouteParamtypes.BODY ? route?.bodyFields : route?.queryFields;
    const declared = member === undefined ? all : all?.named.get(member as string)?.inside();
    const isDto = kind === RouteParamtypes.BODY || kind === RouteParamtypes.QUERY;
    return isDto ? withNested({ type: type as Type<object>, declared }) : [];
  });
}

/** The DTO and those nested in it. `containing` ends the recursion for a class that contains itself. */
function withNested(dto: Dto, containing: readonly Type<object>[] = []): Dto[] {
  const { type, declared } = dto;
  if (containing.includes(type)) return [];
  const nested = ruledMembersOf(type).flatMap((name) => {
    const found = nestedDtoOf(type, name);
    if (!found) return [];
    const inside = declared?.named.get(name)?.inside();
    const classes: Dto[] = found.tagged
      ? [...found.tagged].map(([tag, one]) => ({ type: one, declared: inside?.tagged?.().get(tag) }))
      : [{ type: found.type, declared: found.container === 'map' ? inside?.insideOthers?.() : inside }];
    return classes.flatMap((one) => withNested(one, [...containing, type]));
  });
  return [dto, ...nested];
}

function assertSame(type: Type<object>, name: string, own: OwnField, declared: DeclaredField | undefined): void {
  if (!declared?.schema) return;
  const { nullable, enum: values } = declared.schema;
  const isNull = own.takesNull && nullable === true;
  // The contract requires a member of which `@IsOptional()` lets null through.
  const expected = { ...own.schema, nullable: isNull, required: isNull ? declared.isRequired : own.isRequired };
  const actual: Record<string, unknown> = { ...declared.schema, required: declared.isRequired };
  if (isNull && Array.isArray(values)) actual.enum = values.filter((value) => value !== null);
  for (const [keyword, value] of Object.entries(expected)) {
    const [here, there] = [textOf(actual[keyword]), textOf(value)];
    if (here === there) continue;
    throw new StartError(
      `${declared.position} "${keyword}" of ${name} is ${here} here and ${there} in ${type.name}; make them equal.`,
    );
  }
}

/** The order of the values of an enumeration has no meaning. */
function textOf(value: unknown): string {
  if (value === undefined) return 'missing';
  return JSON.stringify(Array.isArray(value) ? value.map(String).toSorted() : value);
}
