const ANNOTATIONS = new Set(['title', 'description', 'example', 'externalDocs', 'deprecated', 'xml']);

/** Whether a schema keyword only describes and never affects validation. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith('x-');
}
