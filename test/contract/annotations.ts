const ANNOTATIONS = new Set(['title', 'description', 'example', 'externalDocs', 'deprecated', 'xml']);

/** Whether a keyword of a schema only describes, so that no value is right or wrong because of it. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith('x-');
}
