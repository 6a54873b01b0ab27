import type { Type } from '@nestjs/common';
import type { DeclaredField } from '../../contract/requests/declared-fields.js';
import { StartError } from '../../process/start-error.js';
import { isTransformed, type Trait, traitOf } from '../../validation/class-traits.js';
import { conversionsOf } from '../../validation/compile-dto.js';
import { hasType, makesObjects } from '../../validation/nested-dto.js';
import { isDto } from '../../validation/own-fields.js';
import type { Taker } from './taker.js';
import { misfit, nameOf } from './taken-values.js';

/**
 * Throws a StartError for a member without `@ValidateNested()` that is an object of a class: class-transformer would make it
 * without a rule or a comparison with the contract, or it would stay a plain object.
 */
export function assertUnnested(dto: Type<object>, name: string, field: DeclaredField, isText: boolean): void {
  const { position, types } = field;
  const declaredType: unknown = Reflect.getMetadata('design:type', dto.prototype as object, name);
  const nested = types.includes('array') ? '@ValidateNested({ each: true })' : '@ValidateNested()';
  if (hasType(dto, name)) {
    if (!makesObjects(dto, name)) return;
    throw new StartError(
      `${position} ${name} has @Type() without @ValidateNested() in ${dto.name}, so that no rule of its objects would run; add ${nested}, or remove @Type().`,
    );
  }
  // A conversion may make any object.
  if (conversionsOf(dto, name).length > 0) return;
  if (isMade(declaredType)) assertObject({ place: dto.name, name, isText }, position, types, declaredType);
  const made = isMade(declaredType) ? declaredType : itemsInDocumentation(dto, name, declaredType);
  if (!made) return;
  const what = made === declaredType ? 'a plain object' : 'a list of plain objects';
  throw new StartError(
    `${position} ${name} has neither @Type() nor @ValidateNested() in ${dto.name}, so that it would stay ${what} without what ${made.name} declares; add @Type(() => ${made.name}) and ${nested}.`,
  );
}

/** The DTO of the items of a list, which TypeScript does not emit, as `@ApiProperty()` names it. */
function itemsInDocumentation(dto: Type<object>, name: string, declaredType: unknown): Type<object> | undefined {
  if (declaredType !== Array) return undefined;
  const documented = Reflect.getMetadata('swagger/apiModelProperties', dto.prototype as object, name) as
    { readonly type?: unknown } | undefined;
  const { type } = documented ?? {};
  // A class, or a function that returns it or a list with it.
  const isLazy = typeof type === 'function' && type.prototype === undefined;
  const [items] = [isLazy ? (type as () => unknown)() : type].flat();
  return isDto(items) ? items : undefined;
}

interface ParameterClass {
  readonly type: unknown;
  /** Whether pipes read the parameter. */
  readonly isPiped: boolean;
  /** Whether one of them makes the type of each item in a list. */
  readonly isOfItems: boolean;
}

/** Throws a StartError for a parameter, or all values of a place, taken as a class that nothing makes of it. */
export function assertClass(
  taker: Taker,
  position: string,
  types: readonly string[],
  { type, isPiped, isOfItems }: ParameterClass,
): void {
  // A pipe may make any object, but that for lists runs the decorators of its items.
  if ((isPiped && !isOfItems) || !isMade(type)) return;
  if (type === Function) {
    throw new StartError(
      `${position} ${taker.place} takes ${taker.name} as Function, which TypeScript makes of a class that "import type" imports; import the class with "import".`,
    );
  }
  const className = nameOf(type);
  if (!isOfItems) assertObject(taker, position, types, type);
  if (isDto(type) || (isOfItems && !isTransformed(type))) return;
  // It has a trait: it is made, and no DTO.
  const reason = isOfItems ? UNCOMPARED : LACKING[traitOf(type)!];
  throw new StartError(
    `${position} ${taker.place} takes ${taker.name} as ${className}, which has no rule of class-validator, so that ${reason}; give each member one, such as @Allow().`,
  );
}

const UNCOMPARED = 'its members would not be compared with the contract';

const LACKING: Readonly<Record<Trait, string>> = {
  transformers: 'its decorators would not run',
  'documented members': UNCOMPARED,
  methods: 'its methods and accessors would be missing',
};

/** Whether a plain object lacks something of a class. */
export function isMade(type: unknown): type is Type<object> {
  return isDto(type) || traitOf(type) !== undefined;
}

function assertObject(taker: Taker, position: string, types: readonly string[], type: Type<object>): void {
  const other = taker.isText ? 'string' : types.find((one) => one !== 'object');
  if (other !== undefined) throw misfit(taker, position, other, nameOf(type));
}
