/** class-transformer ships no types for this path. */
declare module 'class-transformer/cjs/storage.js' {
  import type {
    ExposeOptions,
    TransformationType,
    TransformFnParams,
    TransformOptions,
    TypeOptions,
  } from 'class-transformer';

  interface TransformMetadata {
    readonly transformFn: (parameters: TransformFnParams) => unknown;
    readonly options?: TransformOptions;
  }

  interface TypeMetadata {
    readonly reflectedType: unknown;
    /** Absent for `@Type()` without an argument, which means the reflected type. */
    readonly typeFunction?: (options: object) => unknown;
    readonly options?: TypeOptions;
  }

  interface ExposeMetadata {
    readonly propertyName: string;
    readonly options?: ExposeOptions;
  }

  interface MetadataStorage {
    readonly _typeMetadatas: ReadonlyMap<Function, unknown>;
    readonly _transformMetadatas: ReadonlyMap<Function, unknown>;
    readonly _exposeMetadatas: ReadonlyMap<Function, unknown>;
    readonly _excludeMetadatas: ReadonlyMap<Function, unknown>;
    getStrategy(target: Function): 'excludeAll' | 'exposeAll' | 'none';
    findTypeMetadata(target: Function, property: string): TypeMetadata | undefined;
    findExposeMetadata(target: Function, property: string): ExposeMetadata | undefined;
    findExposeMetadataByCustomName(target: Function, name: string): ExposeMetadata | undefined;
    findExcludeMetadata(target: Function, property: string): object | undefined;
    getExposedProperties(target: Function, type: TransformationType): string[];
    getExcludedProperties(target: Function, type: TransformationType): string[];
    findTransformMetadatas(target: Function, property: string, type: TransformationType): TransformMetadata[];
  }

  const storage: { defaultMetadataStorage: MetadataStorage };
  export default storage;
}
