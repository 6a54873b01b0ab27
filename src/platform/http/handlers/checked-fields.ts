import type { Type } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/internal';
import type { RequestHandler } from 'express';
import type { DeclaredField } from '../../contract/requests/declared-fields.js';
import { StartError } from '../../process/start-error.js';
import { type OwnField, ownFieldsOf, ruledMembersOf } from '../../validation/own-fields.js';
import type { OperationRoute } from '../request/operation-route.js';
import { handlerOf } from './handler-parameters.js';

/** The names of fields whose own rule need not run, because the contract has checked them, by DTO. */
export type CheckedFields = ReadonlyMap<Type<object>, ReadonlySet<string>>;

/**
 * Compares the fields of DTOs that our own decorators declare with the contract. Throws a StartError for one that differs.
 * A DTO that a handler outside the contract takes as well is never checked.
 */
export function checkedFields(routes: readonly OperationRoute[], others: readonly RequestHandler[]): CheckedFields {
  const checked = new Map<Type<object>, Set<string>>();
  for (const route of routes) {
    const handler = route.handler!; // Called only when every operation has one.
    assertTaken(handler, route);
    for (const { type, declared } of dtosOf(handler, route)) {
      const own = [...ownFieldsOf(type)];
      for (const [name, field] of own) assertSame(type, name, field, declared?.get(name));
      const same = own.map(([name]) => name).filter((name) => declared?.get(name)?.schema);
      const before = checked.get(type);
      checked.set(type, new Set(before ? same.filter((name) => before.has(name)) : same));
    }
  }
  for (const handler of others) for (const { type } of dtosOf(handler)) checked.delete(type);
  return checked;
}

/** The classes of whole bodies and queries, with what the contract declares of them. */
function dtosOf(handler: RequestHandler, route?: OperationRoute) {
  return handlerOf(handler).parameters.flatMap(({ kind, member, type }) => {
    if (member !== undefined || typeof type !== 'function') return [];
    const declared = kind === RouteParamtypes.BODY ? route?.bodyFields : route?.queryFields;
    const isDto = kind === RouteParamtypes.BODY || kind === RouteParamtypes.QUERY;
    return isDto ? [{ type: type as Type<object>, declared }] : [];
  });
}

/**
 * Throws a StartError for a member or parameter that is declared and that the DTO of the handler lacks: it would be dropped. A
 * handler without a DTO may read what it does not name from the request, or with a decorator of its own.
 */
function assertTaken(handler: RequestHandler, { bodyFields, queryFields }: OperationRoute): void {
  const { parameters } = handlerOf(handler);
  const mayReadMore = parameters.some(({ kind }) => Number.isNaN(kind) || kind === RouteParamtypes.REQUEST);
  for (const [kind, declared] of [
    [RouteParamtypes.BODY, bodyFields],
    [RouteParamtypes.QUERY, queryFields],
  ] as const) {
    const ofKind = parameters.filter((parameter) => parameter.kind === kind);
    const dto = ofKind.find(({ member }) => member === undefined)?.type as Type<object> | undefined;
    const taken = ofKind.map(({ member, type }) => (member === undefined ? ruledMembersOf(type) : [member]));
    // A parameter without rules is everything.
    if (taken.length === 0 || taken.some((names) => names.length === 0) || (!dto && mayReadMore)) continue;
    const names = new Set(taken.flat());
    for (const [name, { position, isReadOnly }] of declared) {
      if (names.has(name) || isReadOnly) continue;
      const lacking = dto ? `${dto.name} lacks` : `${handler.name} does not take`;
      throw new StartError(`${position} ${name} is declared here, but ${lacking} it; add it there, or remove it here.`);
    }
  }
}

function assertSame(type: Type<object>, name: string, own: OwnField, declared: DeclaredField | undefined): void {
  if (!declared?.schema) return;
  const expected = { ...own.schema, nullable: false, required: own.isRequired };
  const actual: Record<string, unknown> = { ...declared.schema, required: declared.isRequired };
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
