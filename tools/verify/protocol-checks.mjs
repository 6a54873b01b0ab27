import { randomUUID } from 'node:crypto';
import { differencesOf } from './differences.mjs';
import { ABSENT, validRequest } from './valid-requests.mjs';

/** Methods that are sent where the contract does not declare them. */
const METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'];

/** Characters of the longest `X-Request-Id` that a request may choose. */
const LONGEST_ID = 128;
/** Which no response may have, as the contract declares. */
const OTHER_ID = 'verify no id';

/** The responses that belong to no operation, where the contract declares them. */
export function protocolChecks(operations, protocol, instance) {
  return checksOf(operations, protocol, instance).filter(({ status }) => status === 200 || protocol.has(status));
}

function checksOf(operations, protocol, instance) {
  const check = (what, status, call, otherDifferences = () => []) => ({
    operation: '(any)',
    what,
    status,
    run: async () => {
      const response = await call();
      const differences = differencesOf({ responses: protocol }, response, status);
      return response.status === status ? [...differences, ...otherDifferences(response)] : differences;
    },
  });
  const ofPath = ([path, { target, allowed }]) => {
    const differences = ({ headers }) => allowDifferences(headers.get('allow'), allowed);
    const call = (method) => () => instance.call(method, target);
    return [
      ...METHODS.filter((method) => !allowed.includes(method)).map((method) =>
        check(`${method} on ${path}, which is not allowed`, 405, call(method), differences),
      ),
      check(`OPTIONS on ${path}`, 204, call('OPTIONS'), differences),
    ];
  };
  const list = operations.find(({ id }) => id === 'listPets');
  return [
    check('an unknown path', 404, () => instance.call('GET', '/verify-no-such-path')),
    check('/pets in capitals', 404, () => instance.call('GET', '/PETS')),
    check('/pets with a slash at its end', 404, () => instance.call('GET', '/pets/')),
    ...[...methodsByPath(operations)].flatMap(ofPath),
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
      what: 'a response has the X-Request-Id of its request',
      status: 200,
      run: async () => {
        const sent = `verify-${randomUUID().repeat(4)}`.slice(0, LONGEST_ID);
        const { headers } = await instance.call('GET', '/pets', { headers: { 'X-Request-Id': sent } });
        const received = headers.get('x-request-id');
        // A response without one is reported where the contract requires it.
        return received === null || received === sent ? [] : [`X-Request-Id is ${received} instead of ${sent}`];
      },
    },
    {
      operation: '(any)',
      what: 'a request with an X-Request-Id of another form gets a new one',
      status: 200,
      run: async () =>
        differencesOf(list, await instance.call('GET', '/pets', { headers: { 'X-Request-Id': OTHER_ID } }), 200),
    },
    {
      operation: '(any)',
      what: 'each response so far has an X-Request-Id of its own',
      status: 200,
      run: async () => (instance.repeatedRequestId === undefined ? [] : [`several have ${instance.repeatedRequestId}`]),
    },
  ];
}

/**
 * What is allowed on each path, and where to ask. Two paths can match one request, which is allowed what either declares: such
 * a path is left out.
 */
function methodsByPath(operations) {
  const paths = new Map(operations.map((operation) => [operation.path, targetOf(operation)]));
  const isShared = (path, target) => [...paths.keys()].some((other) => other !== path && patternOf(other).test(target));
  return new Map(
    [...paths]
      .filter(([path, target]) => !isShared(path, target))
      .map(([path, target]) => {
        const declared = operations.filter((each) => each.path === path).map(({ method }) => method);
        const allowed = [...declared, ...(declared.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
        return [path, { target, allowed: allowed.toSorted((one, other) => one.localeCompare(other)) }];
      }),
  );
}

/** A resource that does not exist, because an instance may allow more than the contract. */
const targetOf = (operation) => validRequest(operation, ABSENT).path.split('?')[0];

/** What matches the requests of a path; a parameter is a part of one segment. */
const patternOf = (path) =>
  new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{[^{}]*\}/g, '[^/]+')}$`, 'u');

function allowDifferences(allow, allowed) {
  const expected = allowed.join(', ');
  const sorted = allow?.split(/ *, */).toSorted().join(', ');
  return allow !== null && sorted !== expected ? [`Allow is ${allow} instead of ${expected}`] : [];
}
