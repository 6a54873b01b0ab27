/** RFC 6750, section 2.1: the syntax of a bearer token. */
const BEARER_TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/** Parses the text of a variable. Throws an Error whose message continues the name of the variable: "must be ...". */
export type Read<T> = (text: string) => T;

export const text: Read<string> = (value) => value;

export const integer =
  (minimum: number, maximum: number): Read<number> =>
  (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= minimum && number <= maximum) return number;
    throw new Error(`must be an integer from ${minimum} to ${maximum}, not "${value}"`);
  };

export const milliseconds = integer(1, 3_600_000);

export const oneOf =
  <T extends string>(values: readonly T[]): Read<T> =>
  (value) => {
    if ((values as readonly string[]).includes(value)) return value as T;
    throw new Error(`must be one of ${values.join(', ')}, not "${value}"`);
  };

export const flag: Read<boolean> = (value) => oneOf(['true', 'false'])(value) === 'true';

/**
 * Rejects a "#", and an "@" after the host: both come from a password that is not percent-encoded, and its beginning
 * would be printed as part of the host.
 */
export function isPostgresAddress(value: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(value) || !URL.canParse(value) || !isEncoded(value)) return false;
  const { pathname, search, hash } = new URL(value);
  return hash === '' && !`${pathname}${search}`.includes('@');
}

function isEncoded(address: string): boolean {
  try {
    decodeURIComponent(address);
    return true;
  } catch {
    return false;
  }
}

const list = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Never repeats the value: it may contain a password. */
export const databaseUrl: Read<string> = (value) => {
  if (/^sqlite:[^:]/.test(value) || isPostgresAddress(value)) return value;
  throw new Error('must be "sqlite:" and a file name, or a "postgres://" URL with a percent-encoded password');
};

/** Never repeats a value: it may contain a password. */
export const databaseReadUrls: Read<string[]> = (value) => {
  const bad = list(value).findIndex((url) => !isPostgresAddress(url));
  if (bad === -1) return list(value);
  throw new Error(
    `must be "postgres://" URLs with percent-encoded passwords, separated by commas (number ${bad + 1} is not)`,
  );
};

/** Never repeats a key. */
export const apiKeys: Read<string[]> = (value) => {
  const keys = list(value);
  const bad = keys.findIndex((key) => !BEARER_TOKEN.test(key));
  if (bad === -1) return keys;
  throw new Error(`must use only letters, digits and -._~+/ in each key (key number ${bad + 1} does not)`);
};

export const origins: Read<string[]> = (value) => {
  const bad = list(value).find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (bad === undefined) return list(value);
  throw new Error(`must be origins such as https://shop.example separated by commas, not "${bad}"`);
};
