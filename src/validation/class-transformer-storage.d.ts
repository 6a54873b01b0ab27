/** class-transformer keeps the types of its storage elsewhere than the module itself. */
declare module 'class-transformer/cjs/storage.js' {
  import type { TransformationType, TransformFnParams } from 'class-transformer';

  interface MetadataStorage {
    findTypeMetadata(target: Function, property: string): object | undefined;
    findExposeMetadata(target: Function, property: string): object | undefined;
    findExcludeMetadata(target: Function, property: string): object | undefined;
    findTransformMetadatas(
      target: Function,
      property: string,
      type: TransformationType,
    ): { transformFn: (parameters: TransformFnParams) => unknown }[];
  }

  const storage: { defaultMetadataStorage: MetadataStorage };
  export default storage;
}
