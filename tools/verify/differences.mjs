const ERROR_MEMBERS = ['code', 'message', 'status'];
/** A line of a stack: `at name (file:1:2)` or `at file:1:2`. The digits of a time stand before its colons as well. */
const STACK = /\bat (?:[^\n()]+ \([^\n()]*[^\d\s]:\d+:\d+\)|(?:async )?(?:file:|node:|\/|[A-Z]:\\)\S*[^\d\s]:\d+:\d+)/;

/** What differs between a response and what the contract declares for its operation and status; empty when nothing does. */
export function differencesOf(operation, response, expected) {
  const { status } = response;
  if (status !== expected) return [`status ${status} instead of ${expected}`];
  const declared = operation.responses.get(status);
  if (!declared) return [`status ${status} is not declared`];
  return [
    ...declared.headers.flatMap((header) => headerDifferences(header, response.headers)),
    ...(declared.validate && response.method !== 'HEAD' ? bodyDifferences(declared.validate, response) : []),
    ...(status >= 400 ? errorDifferences(response, declared) : []),
    ...(operation.isDeprecated ? deprecationDifferences(operation, response) : promisedDeprecation(response)),
  ];
}

function headerDifferences({ name, required, schema = {} }, headers) {
  const value = headers.get(name);
  if (value === null) return required ? [`no header ${name}`] : [];
  const { type, pattern, minimum } = schema;
  const isInteger = /^-?\d+$/.test(value);
  const isValid =
    (pattern === undefined || new RegExp(pattern, 'u').test(value)) &&
    (type !== 'integer' || (isInteger && (minimum === undefined || BigInt(value) >= minimum)));
  return isValid ? [] : [`header ${name} is ${value}`];
}

function bodyDifferences(validate, { headers, json }) {
  const type = headers.get('content-type') ?? 'none';
  if (!/^application\/json( *; *charset="?utf-8"?)?$/i.test(type)) return [`content type ${type}`];
  if (json === undefined) return ['the body is not JSON'];
  if (validate(json)) return [];
  return validate.errors
    .filter(({ keyword }) => keyword !== 'if') // Beside what differs from the alternative.
    .map(({ instancePath, message, params: { allowedValues } }) => {
      const values = allowedValues ? `: ${allowedValues.join(', ')}` : '';
      return `body${instancePath} ${message}${values}`;
    });
}

/** The Error body that every error has. `codes` are those of the contract's examples, and `members` those of its schema. */
function errorDifferences({ status, json, method, headers }, { codes, members }) {
  const challenge = headers.get('www-authenticate');
  const wrong = status === 401 && !/^Bearer\b/i.test(challenge ?? 'Bearer') ? [`WWW-Authenticate is ${challenge}`] : [];
  if (method === 'HEAD') return wrong;
  const found = ['code', 'message']
    .filter((name) => typeof json?.[name] !== 'string')
    .map((name) => `Error without ${name}`);
  if (json?.status !== status) found.push(`Error with status ${json?.status} instead of ${status}`);
  const { code, message } = json ?? {};
  if (typeof code === 'string' && !(codes.length > 0 ? codes.includes(code) : /^[A-Z][A-Z0-9_]*$/.test(code))) {
    found.push(`Error with code ${JSON.stringify(code)} instead of ${codes.join(' or ') || 'one in capitals'}`);
  }
  if (message === '') found.push('Error with an empty message');
  if (STACK.test(message)) found.push('Error with a stack in its message');
  for (const name of Object.keys(json ?? {})) {
    if (![...ERROR_MEMBERS, ...members].includes(name)) found.push(`Error with the member ${name}`);
  }
  return [...wrong, ...found];
}

function deprecationDifferences({ deprecatedAt, sunset, successor, documentation }, { headers }) {
  const expected = {
    deprecation: `@${Date.parse(`${deprecatedAt}T00:00:00Z`) / 1000}`,
    sunset: new Date(`${sunset}T00:00:00Z`).toUTCString(),
  };
  const links = headers.get('link') ?? '';
  const linkDifferences = ([rel, target]) => {
    const found = links.match(new RegExp(`<([^>]*)>; *rel="${rel}"`))?.[1];
    if (found === undefined) return [`no Link with rel="${rel}"`];
    return found.endsWith(target) ? [] : [`Link with rel="${rel}" leads to ${found} instead of ${target}`];
  };
  return [
    ...Object.entries(expected)
      .filter(([name, value]) => headers.get(name) !== value)
      .map(([name, value]) => `header ${name} is ${headers.get(name)} instead of ${value}`),
    ...Object.entries({ 'successor-version': successor, deprecation: documentation })
      .filter(([, target]) => target !== undefined)
      .flatMap(linkDifferences),
  ];
}

function promisedDeprecation({ headers }) {
  return ['deprecation', 'sunset']
    .filter((name) => headers.has(name))
    .map((name) => `header ${name}, although the operation is not deprecated`);
}
