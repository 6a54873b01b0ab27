import { isIPv4, isIPv6 } from 'node:net';

interface Format {
  /** Completes "must be ". */
  readonly noun: string;
  readonly isValid: (text: string) => boolean;
}

const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
/** RFC 3339 without leap seconds, which a Date cannot hold. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
/** As in HTML's input of the type email. */
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)*[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;
const HOSTNAME = /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)*[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;
const BASE64 = /^[A-Za-z\d+/]*={0,2}$/;
/** RFC 3986, section 2; `BRACKETED_HOST` decides on brackets. */
const URI_CHARACTERS = /^(?:[\w.~:/?[\]@!$&'()*+,;=-]|%[\da-f]{2})*(?:#(?:[\w.~:/?@!$&'()*+,;=-]|%[\da-f]{2})*)?$/i;
/** Only an IP address in the place of a host has brackets (RFC 3986, section 3.2.2). */
const BRACKETED_HOST = /^(?:[a-z][a-z\d+.-]*:)?\/\/(?:[^/?#@[\]]*@)?\[[^[\]]*\](?::\d*)?(?:[/?#][^[\]]*)?$/i;
/** The form of most references. It needs no parser, which costs more than all other checks of a creation's headers. */
const PLAIN_PATH = /^(?:\/[\w.~-]+)+$/;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** V8 reads 30 February as 2 March. */
function isDate(text: string): boolean {
  return DATE.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
}

export function isReference(text: string): boolean {
  if (PLAIN_PATH.test(text)) return true;
  const hasBrackets = text.includes('[') || text.includes(']');
  return (
    URI_CHARACTERS.test(text) && (!hasBrackets || BRACKETED_HOST.test(text)) && URL.canParse(text, 'http://localhost')
  );
}

/** The formats that are enforced, by type. */
export const FORMATS: Readonly<Record<string, Readonly<Record<string, Format>>>> = {
  string: {
    date: { noun: 'a date, such as 2030-12-05', isValid: isDate },
    'date-time': {
      noun: 'a date and time, such as 2030-12-05T10:30:00Z',
      isValid: (text) => isDate(DATE_TIME.exec(text)?.[1] ?? ''),
    },
    uuid: { noun: 'a UUID', isValid: (text) => UUID.test(text) },
    email: { noun: 'an email address', isValid: (text) => text.length <= 320 && EMAIL.test(text) },
    hostname: { noun: 'a host name', isValid: (text) => HOSTNAME.test(text) },
    ipv4: { noun: 'an IPv4 address', isValid: isIPv4 },
    ipv6: { noun: 'an IPv6 address', isValid: (text) => isIPv6(text) && !text.includes('%') },
    uri: { noun: 'a URI', isValid: (text) => SCHEME.test(text) && isReference(text) },
    'uri-reference': { noun: 'a URI reference', isValid: isReference },
    byte: { noun: 'base64', isValid: (text) => text.length % 4 === 0 && BASE64.test(text) },
    // Only affects how a form shows the field.
    password: { noun: 'a string', isValid: () => true },
    // The content of a response that is not JSON.
    binary: { noun: 'a string', isValid: () => true },
  },
  // numberRule enforces the ranges of these formats.
  integer: {
    int32: { noun: 'an integer', isValid: () => true },
    int64: { noun: 'an integer', isValid: () => true },
  },
  number: {
    float: { noun: 'a number', isValid: () => true },
    double: { noun: 'a number', isValid: () => true },
  },
};
