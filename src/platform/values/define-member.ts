/** Adds a member with any name: an assignment to `__proto__` would set the prototype. */
export function defineMember(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
