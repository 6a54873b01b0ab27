import { entityError } from '../tables/columns/entity-error.js';

/** How TypeORM reports the migrations and entities of a release that it cannot use: a class, and what to say of it. */
const FAULTS: readonly (readonly [RegExp, (name: string, what: string) => string])[] = [
  [
    /^(\w+) migration name is wrong/,
    (name) =>
      `${name} has no timestamp; end the name of the migration with the milliseconds of now, as date +%s%3N prints.`,
  ],
  [
    /^Duplicate migrations: (\w+)/,
    (name) => `${name} is the name of two migrations; give each class, and its "name", a name of its own.`,
  ],
  [
    /contains column that is missing in the entity \((\w+)\): (.+)$/,
    (name, what) =>
      `${name} has no property ${what}, which a key or an index of it names; correct the name, or add it.`,
  ],
];

/** What to change in the sources when TypeORM cannot use them, with file and line; undefined for any other error. */
export function misdeclared({ message }: Error): ReturnType<typeof entityError> | undefined {
  for (const [fault, sentenceOf] of FAULTS) {
    const [, name, what = ''] = fault.exec(message) ?? [];
    if (name !== undefined) return entityError({ name }, undefined, sentenceOf(name, what.replace(/\.$/, '')));
  }
  return undefined;
}
