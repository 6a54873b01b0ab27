import type { Type } from '@nestjs/common';
import type { EntityMetadata } from 'typeorm';
import { entityError } from './entity-error.js';

/**
 * Throws a StartError for a member of the class of an entity that is no column, and for an initial value. Tables make rows
 * without the class: the type of a row would promise what it lacks.
 */
export function refuseOtherMembers(metadata: EntityMetadata): void {
  const { name, target, columns } = metadata;
  if (typeof target !== 'function') return;
  const known = new Set(columns.map(({ propertyName }) => propertyName));
  const fields = Object.entries(new (target as Type<object>)());
  const other = [...namesOnPrototypes(target.prototype as object), ...fields.map(([field]) => field)].find(
    (member) => !known.has(member),
  );
  if (other !== undefined) {
    throw entityError(
      metadata,
      other,
      `${name}.${other} is no column, so that rows lack it; move it into the service, or declare it as a column.`,
    );
  }
  const [initial] = fields.find(([, value]) => value !== undefined) ?? [];
  if (initial === undefined) return;
  throw entityError(
    metadata,
    initial,
    `Tables do not store the initial value of ${name}.${initial}; set the value in the service.`,
  );
}

/** The methods and accessors of a class and of those that it extends. */
function namesOnPrototypes(prototype: object): string[] {
  if (prototype === Object.prototype) return [];
  const own = Object.getOwnPropertyNames(prototype).filter((member) => member !== 'constructor');
  return [...own, ...namesOnPrototypes(Object.getPrototypeOf(prototype) as object)];
}
