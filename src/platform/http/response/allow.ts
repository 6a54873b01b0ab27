/** The value of `Allow` on a path with handlers for these methods. */
export function allowOf(methods: readonly string[]): string {
  return [...new Set(['OPTIONS', ...methods, ...(methods.includes('GET') ? ['HEAD'] : [])])].toSorted().join(', ');
}

/** The message of a 405. */
export function notAllowed(method: string, path: string, allow: string): string {
  return `${method} is not allowed on ${path}; allowed: ${allow}.`;
}
