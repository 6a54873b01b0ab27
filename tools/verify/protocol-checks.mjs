import { errorDifferences } from './differences.mjs';

/** The responses that belong to no operation. */
export function protocolChecks(operations, protocol, instance) {
  const method = (name) => () => instance.call(name, '/pets');
  const declared = operations.filter(({ path }) => path === '/pets').map((each) => each.method);
  const allowed = [...new Set([...declared, ...(declared.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])]
    .toSorted((one, other) => one.localeCompare(other))
    .join(', ');
  const check = (what, status, call, isAllow = false) => ({
    operation: '(any)',
    what,
    status,
    run: async () => {
      const response = await call();
      const { headers } = response;
      if (response.status !== status) return [`status ${response.status} instead of ${status}`];
      const allow = headers.get('allow');
      const sorted = allow?.split(/ *, */).toSorted().join(', ');
      return [
        ...(isAllow && allow === null ? ['no header allow'] : []),
        ...(isAllow && allow !== null && sorted !== allowed ? [`Allow is ${allow} instead of ${allowed}`] : []),
        ...(status >= 400 ? errorDifferences(response, protocol.get(status) ?? {}) : []),
      ];
    },
  });
  return [
    check('an unknown path', 404, () => instance.call('GET', '/verify-no-such-path')),
    check('a method that is not allowed', 405, method('DELETE'), true),
    check('OPTIONS', 204, method('OPTIONS'), true),
    check('a query of 9 kB', 414, () => instance.call('GET', `/pets?a=${'a'.repeat(9_000)}`)),
    check('a header of 17 kB', 431, () =>
      instance.call('GET', '/pets', { headers: { 'X-Verify': 'a'.repeat(17_000) } }),
    ),
    {
      operation: '(any)',
      what: 'scripts of other origins cannot use the credentials of a browser',
      status: 200,
      run: async () => {
        const { headers } = await instance.call('GET', '/pets', { headers: { Origin: 'https://verify.invalid' } });
        return headers.get('access-control-allow-credentials') === 'true' ? ['they can'] : [];
      },
    },
    {
      operation: '(any)',
      what: 'each response so far has an X-Request-Id of its own',
      status: 200,
      run: async () => (instance.repeatedRequestId === undefined ? [] : [`several have ${instance.repeatedRequestId}`]),
    },
  ];
}
