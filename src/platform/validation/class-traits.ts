import transformers from 'class-transformer/cjs/storage.js';

/** What a class has that a plain object lacks. */
export type Trait = 'transformers' | 'documented members' | 'methods';

/** Types whose values are made without a DTO, or which are only a type. Their own methods say nothing. */
const BUILT_IN = new Set<unknown>([Object, Array, String, Number, Boolean, BigInt, Symbol, Date]);

/** Where @nestjs/swagger keeps the names of the members that `@ApiProperty()` declares. */
const DOCUMENTED = 'swagger/apiModelPropertiesArray';

/**
 * What of a class would be missing from a plain object. Undefined for a class that is only a type, and for an arrow function:
 * compilers of single files may emit one that has the name of a type.
 */
export function traitOf(type: unknown): Trait | undefined {
  const classes = ancestorsOf(type);
  const [own] = classes;
  if (!own) return undefined;
  if (isTransformed(own)) return 'transformers';
  if (Reflect.hasMetadata(DOCUMENTED, own.prototype as object)) return 'documented members';
  const names = classes.flatMap((one) => Reflect.ownKeys(one.prototype as object));
  return names.some((name) => name !== 'constructor') ? 'methods' : undefined;
}

/** Whether a class, or one that it extends, has a decorator of class-transformer. */
export function isTransformed(type: unknown): boolean {
  const { _typeMetadatas, _transformMetadatas, _exposeMetadatas, _excludeMetadatas } =
    transformers.defaultMetadataStorage;
  const all = [_typeMetadatas, _transformMetadatas, _exposeMetadatas, _excludeMetadatas];
  return ancestorsOf(type).some((one) => all.some((metadatas) => metadatas.has(one)));
}

/** A class and those that it extends. */
function ancestorsOf(type: unknown): Function[] {
  const classes: Function[] = [];
  for (let one = type; typeof one === 'function' && isOwn(one); one = Object.getPrototypeOf(one) as unknown) {
    classes.push(one);
  }
  return classes;
}

function isOwn(type: Function): boolean {
  return !BUILT_IN.has(type) && type.prototype !== undefined;
}
