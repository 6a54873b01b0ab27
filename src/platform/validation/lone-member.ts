/** A received object of which only one member is known. */
interface LoneMember {
  readonly object: Record<PropertyKey, unknown>;
  /** Whether code has asked it for any other member. */
  readonly isAskedForMore: () => boolean;
}

export function loneMember(name: string, value: unknown): LoneMember {
  let isAskedForMore = false;
  const object = new Proxy<Record<PropertyKey, unknown>>(
    { [name]: value },
    {
      get: (target, key) => (key === name ? target[key] : void (isAskedForMore = true)),
      has: (_, key) => key === name || (isAskedForMore = true),
      ownKeys: () => ((isAskedForMore = true), [name]),
      getOwnPropertyDescriptor: (target, key) => {
        if (key !== name) isAskedForMore = true;
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
    },
  );
  return { object, isAskedForMore: () => isAskedForMore };
}
