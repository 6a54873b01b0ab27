import type { Type } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/internal';
import type { RequestHandler } from 'express';
import type { DeclaredField } from '../../contract/requests/declared-fields.js';
import { StartError } from '../../process/start-error.js';
import { type OwnField, ownFieldsOf } from '../../validation/own-fields.js';
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
    // Called only when every operation has a handler.
    for (const { type, declared } of dtosOf(route.handler!, route)) {
      const own = [...ownFieldsOf(type)];
      for (const [name, field] of own) assertSame(type, name, field, declared?.get(name));
      const same = own.map(([name]) => name).filter((name) => declared?.has(name));
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

function assertSame(type: Type<object>, name: string, own: OwnField, declared: DeclaredField | undefined): void {
  if (!declared) return;
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
