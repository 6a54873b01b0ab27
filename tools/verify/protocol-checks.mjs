import { errorDifferences } from './differences.mjs';

/** The responses that belong to no operation. */
export function protocolChecks(instance) {
  const method = (name) => () => instance.call(name, '/pets');
  return [
    check('an unknown path', 404, () => instance.call('GET', '/verify-no-such-path')),
    check('a method that is not allowed', 405, method('DELETE'), 'allow'),
    check('OPTIONS', 204, method('OPTIONS'), 'allow'),
    check('a query of 9 kB', 414, () => instance.call('GET', `/pets?a=${'a'.repeat(9_000)}`)),
    check('a header of 17 kB', 431, () =>
      instance.call('GET', '/pets', { headers: { 'X-Verify': 'a'.repeat(17_000) } }),
    ),
  ];
}

function check(what, status, call, header) {
  const run = async () => {
    const response = await call();
    if (response.status !== status) return [`status ${response.status} instead of ${status}`];
    const missing = header && !response.headers.has(header) ? [`no header ${header}`] : [];
    return [...missing, ...(status >= 400 ? errorDifferences(response) : [])];
  };
  return { operation: '(any)', what, status, run };
}
