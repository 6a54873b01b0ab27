import type { DataSource } from 'typeorm';
import { StartError } from '../../process/start-error.js';

/** Settings of PostgreSQL that change the text of values, with the value that codecs need, and a pattern of those that suffice. */
const SETTINGS = [
  // With less, it rounds doubles to 15 digits.
  ['extra_float_digits', '1', '^[123]$'],
  ['DateStyle', 'ISO', '^ISO'],
  // Otherwise a NULL in a list is the text "NULL".
  ['array_nulls', 'on', '^on$'],
] as const;

/** The isolation of a single statement. At a stricter level, a change that has waited for another one fails, and the service does not repeat it. */
const ISOLATION = ['default_transaction_isolation', 'read committed', '^read committed$'] as const;

/** DurableClient sets it, except behind a pooler. */
const COMMITS = ['synchronous_commit', 'on', '^(on|local|remote_write|remote_apply)$'] as const;

/** Chosen when the database is created. With another encoding, it refuses some texts. */
const ENCODING = ['server_encoding', 'UTF8', '^UTF8$'] as const;

/** Options of a connection, which override what is set for the server, the database and the user. A space ends an option. */
export const REQUIRED_OPTIONS = [ISOLATION, ...SETTINGS]
  .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  .join(' ');

const DIFFERENT = `SELECT "name", current_setting("name") AS "actual",
    quote_ident(current_user) AS "user", quote_ident(current_database()) AS "database"
  FROM unnest($1::text[], $2::text[]) AS "required" ("name", "pattern") WHERE current_setting("name") !~ "pattern"`;

interface Different {
  readonly name: string;
  readonly actual: string;
  readonly user: string;
  readonly database: string;
}

/** What PostgreSQL would do because of a setting; any other changes values. */
const CONSEQUENCES: Readonly<Record<string, string>> = {
  [COMMITS[0]]: 'not keep every row whose creation it has acknowledged',
  [ISOLATION[0]]: 'refuse changes that wait for others',
};

/**
 * Throws a StartError when PostgreSQL would not do what the service relies on. A pooler refuses options, and an address may have
 * options of its own, which replace those of the service.
 */
export async function refuseOtherSettings(dataSource: DataSource, isPooled: boolean): Promise<void> {
  const required = [ENCODING, COMMITS, ISOLATION, ...SETTINGS];
  const columns = [required.map(([name]) => name), required.map(([, , pattern]) => pattern)];
  const [different] = await dataSource.query<Different[]>(DIFFERENT, columns);
  if (!different) return;
  const { name, actual } = different;
  const consequence = CONSEQUENCES[name] ?? 'not keep every value';
  throw new StartError(
    `PostgreSQL would ${consequence}, because ${name} is "${actual}"; ${remedyOf(different, isPooled)}.`,
  );
}

function remedyOf({ name, user, database }: Different, isPooled: boolean): string {
  if (name === ENCODING[0]) return `choose a database with the encoding ${ENCODING[1]}`;
  if (!isPooled) return 'remove "options" from DATABASE_URL';
  const value = [COMMITS, ISOLATION, ...SETTINGS].find(([known]) => known === name)?.[1] ?? '';
  return `run ALTER ROLE ${user} IN DATABASE ${database} SET ${name} TO ${value.includes(' ') ? `'${value}'` : value}, then RECONNECT in the pooler`;
}
