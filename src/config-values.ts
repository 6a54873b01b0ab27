import { BlockList, isIP, SocketAddress } from 'node:net';
import type { RateLimit } from './auth/token-buckets.js';

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

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
const SSL_MODE = `one of ${SSL_MODES.join(', ')}`;
/** What the driver reads, and what hosted PostgreSQL adds to its addresses. */
const PARAMETERS = new Set(
  `host port user password application_name fallback_application_name options client_encoding connect_timeout
  statement_timeout lock_timeout idle_in_transaction_session_timeout query_timeout keepalives keepalives_idle
  target_session_attrs channel_binding ssl sslmode sslrootcert sslcert sslkey sslnegotiation uselibpqcompat`.split(
    /\s+/,
  ),
);

/**
 * Why the parameters of an address are wrong: one that the driver does not know, such as `sslMode`, would have no effect, and
 * the connection no TLS. Never repeats a name or value, because either may be a part of a password.
 */
function problemOfParameters(value: string): string | undefined {
  if (!isPostgresAddress(value)) return undefined;
  const { searchParams } = new URL(value);
  const names = [...searchParams.keys()];
  const bad = names.findIndex((name, index) => !PARAMETERS.has(name) || names.indexOf(name) !== index);
  if (bad !== -1) {
    return `must have only known parameters such as sslmode, in lower case and each once (parameter number ${bad + 1} is unknown or repeated)`;
  }
  const [mode, ssl] = [searchParams.get('sslmode'), searchParams.get('ssl')];
  if (mode !== null && !SSL_MODES.includes(mode)) return `has a wrong sslmode: it must be ${SSL_MODE}`;
  if (ssl !== null && !['true', '1', '0'].includes(ssl)) return `has a wrong ssl: use sslmode instead, ${SSL_MODE}`;
  return undefined;
}

const list = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Never repeats the value: it may contain a password. */
export const databaseUrl: Read<string> = (value) => {
  const problem = problemOfParameters(value);
  if (problem !== undefined) throw new Error(problem);
  if (/^sqlite:[^:]/.test(value) || isPostgresAddress(value)) return value;
  throw new Error('must be "sqlite:" and a file name, or a "postgres://" URL with a percent-encoded password');
};

/** Never repeats a value: it may contain a password. */
export const databaseReadUrls: Read<string[]> = (value) => {
  const bad = list(value).findIndex((url) => !isPostgresAddress(url));
  const problem = list(value)
    .map(problemOfParameters)
    .find((each) => each !== undefined);
  if (problem !== undefined) throw new Error(problem);
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

const SECONDS = { s: 1, m: 60, h: 3600 };
const DAY = 86_400;

export const rateLimit: Read<RateLimit> = (value) => {
  const [, requests, count, unit] = /^([1-9]\d{0,6})\/([1-9]\d{0,4})([smh])$/.exec(value) ?? [];
  const window = Number(count) * SECONDS[unit as keyof typeof SECONDS];
  if (window <= DAY) return { requests: Number(requests), window };
  throw new Error(`must be requests and a time of at most 24h, such as 600/60s or 10000/1h, not "${value}"`);
};

export const networks: Read<BlockList> = (value) => {
  const found = new BlockList();
  for (const item of list(value)) {
    const [, address = '', bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(item) ?? [];
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    const length = family === 'ipv4' ? 32 : 128;
    const isNetwork = isIP(address) > 0 && Number(bits ?? 0) <= length;
    // IPv4 within IPv6 is compared as IPv4.
    if (!isNetwork || new SocketAddress({ address, family }).address.startsWith('::ffff:'))
      throw new Error(`must be addresses and networks such as 10.0.0.0/8 separated by commas, not "${item}"`);
    found.addSubnet(address, Number(bits ?? length), family);
  }
  return found;
};
