/** What differs between a response and what the contract declares for its operation and status; empty when nothing does. */
export function differencesOf(operation, response, expected) {
  const { status } = response;
  if (status !== expected) return [`status ${status} instead of ${expected}`];
  const declared = operation.responses.get(status);
  if (!declared) return [`status ${status} is not declared`];
  return [
    ...declared.required.filter((name) => !response.headers.has(name)).map((name) => `no header ${name}`),
    ...(declared.validate && response.method !== 'HEAD' ? bodyDifferences(declared.validate, response) : []),
    ...(status >= 400 ? errorDifferences(response) : []),
    ...(operation.isDeprecated ? deprecationDifferences(operation, response) : []),
  ];
}

function bodyDifferences(validate, { headers, json }) {
  const type = headers.get('content-type') ?? 'none';
  if (!/^application\/json(;|$)/.test(type)) return [`content type ${type}`];
  if (json === undefined) return ['the body is not JSON'];
  if (validate(json)) return [];
  return validate.errors.map(({ instancePath, message }) => `body${instancePath} ${message}`);
}

/** The Error body that every error has, whether an operation declares it or not. */
export function errorDifferences({ status, json, method }) {
  if (method === 'HEAD') return [];
  const found = ['code', 'message']
    .filter((name) => typeof json?.[name] !== 'string')
    .map((name) => `Error without ${name}`);
  if (json?.status !== status) found.push(`Error with status ${json?.status} instead of ${status}`);
  return found;
}

function deprecationDifferences({ deprecatedAt, sunset }, { headers }) {
  const link = headers.get('link') ?? '';
  const expected = {
    deprecation: `@${Date.parse(`${deprecatedAt}T00:00:00Z`) / 1000}`,
    sunset: new Date(`${sunset}T00:00:00Z`).toUTCString(),
  };
  return [
    ...Object.entries(expected)
      .filter(([name, value]) => headers.get(name) !== value)
      .map(([name, value]) => `header ${name} is ${headers.get(name)} instead of ${value}`),
    ...['successor-version', 'deprecation']
      .filter((rel) => !link.includes(`rel="${rel}"`))
      .map((rel) => `no Link with rel="${rel}"`),
  ];
}
