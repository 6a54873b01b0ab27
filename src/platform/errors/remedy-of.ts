/** What to do, by the code of the error. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^28/, 'correct the user or password in its address'],
  [/^42501$/, 'grant its user that privilege'],
  [/^53100$/, 'free space on the disk of its server'],
  [/^SQLITE_FULL$/, 'free space on its disk'],
  [/^(?:EMFILE|ENFILE)$/, 'allow more open files (ulimit -n)'],
  [/^3D000$/, 'create it, or correct its address'],
  [/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ETIMEDOUT)$/, 'start its server, or correct its address'],
];

/** How `pg` reports that an address has none. */
const NO_PASSWORD = /client password must be/;

/** What to do about a database that cannot be used; undefined if the error does not say it. */
export function remedyOf(error: unknown): string | undefined {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (NO_PASSWORD.test(message)) return 'add the password to the address';
  return REMEDIES.find(([codes]) => codes.test(code))?.[1];
}
