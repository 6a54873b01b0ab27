import { isIPv4, isIPv6 } from 'node:net';
import { isInteger } from './numbers.js';

const text = (isValid: (value: string) => boolean) => (value: unknown) => typeof value === 'string' && isValid(value);
const matching = (pattern: RegExp) => text((value) => pattern.test(value));

/** Whether V8 reads the date as itself: it reads 30 February as 2 March. */
const isDate = (value: string) =>
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value);

/** Written apart from those of the service, which they check. */
export const FORMATS: Readonly<Record<string, (value: unknown) => boolean>> = {
  int32: (value) => isInteger(value) && BigInt.asIntN(32, BigInt(value)) === BigInt(value),
  int64: (value) => isInteger(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value),
  float: Number.isFinite,
  double: Number.isFinite,
  date: text(isDate),
  'date-time': text((value) => {
    const [, date, time] = /^(.{10})T(\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))$/i.exec(value) ?? [];
    return date !== undefined && isDate(date) && !Number.isNaN(Date.parse(`2000-01-01T${time}`));
  }),
  email: matching(/^[^\s@]+@[^\s@]+$/),
  uuid: matching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i),
  hostname: matching(/^[a-z\d]([a-z\d.-]*[a-z\d])?$/i),
  ipv4: text(isIPv4),
  ipv6: text(isIPv6),
  uri: text((value) => URL.canParse(value)),
  'uri-reference': matching(/^[^\x00-\x20\x7f-\uffff<>"{}|\\^`]*$/),
  password: text(() => true),
  binary: text(() => true),
  byte: text((value) => Buffer.from(value, 'base64').toString('base64') === value),
};
