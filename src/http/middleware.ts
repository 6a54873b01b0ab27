/** Express' body parsers: what they have read, the contract's reader cannot read again. */
export const BODY_PARSERS = new Set(['jsonParser', 'urlencodedParser', 'rawParser', 'textParser']);

/** A path without any of Express' patterns. */
const PLAIN_PATH = /^\/[\w-]+(\/[\w./-]*)?$/;

/** Whether arguments of Express' `use` name a path that plainly has nothing to do with the contract's. */
export function isElsewhere([path]: readonly unknown[], basePath: string): boolean {
  return typeof path === 'string' && PLAIN_PATH.test(path) && !isSameSegment(path, basePath);
}

/** Express takes no notice of case. */
function isSameSegment(path: string, other: string): boolean {
  return path.split('/')[1]!.toLowerCase() === other.split('/')[1]!.toLowerCase();
}

/** The names of the functions among arguments of Express' `use`. */
export function namesOf(args: readonly unknown[]): string[] {
  return args
    .flat(Infinity)
    .filter((handler) => typeof handler === 'function')
    .map((handler) => handler.name || 'anonymous');
}
