import { differencesOf } from './differences.mjs';
import { ABSENT, harmlessRequest, isNameless, leftOut, pathOf, unknownOf } from './valid-requests.mjs';
import { brokenBodies, brokenHeadersOf, brokenQueriesOf, violationsOf } from './violations.mjs';

const WRONG_KEY = 'pets_verify-wrong';
const INVALID_TOKEN = /\berror="invalid_token"/;
/** Beyond the usual limit of a body. */
const LARGE = ' '.repeat(1_100_000);

/**
 * The checks that follow from openapi.yaml alone: a key for each operation, and each value that a parameter or body must not
 * have. A check returns what differs. `readKey` is a key of the scope `read`, if there is one.
 */
export function derivedChecks(operations, instance, { key, readKey }) {
  return operations.flatMap((operation) => {
    const { path, headers, body } = harmlessRequest(operation);
    const send = (target, options = {}) =>
      instance.call(options.method ?? operation.method, target, {
        body,
        ...options,
        headers: { ...headers, ...options.headers },
      });
    const check = (what, expected, call, named, otherDifferences = () => []) => ({
      operation: operation.id,
      what,
      status: expected,
      run: async () => {
        const response = await call();
        return [
          ...differencesOf(operation, response, expected),
          ...namingDifferences(response, named),
          ...otherDifferences(response),
          ...(response.text.includes(WRONG_KEY) ? ['the response has the key that was sent'] : []),
        ];
      },
    });
    const withWrongKey = (what, wrong) =>
      check(what, 401, () => send(path, { key: wrong }), undefined, wrong === null ? missingKey : invalidKey);
    return [
      withWrongKey('without a key', null),
      withWrongKey('with a wrong key', WRONG_KEY),
      withWrongKey('with another key of the same form', otherKey(key)),
      withWrongKey('with a character after the key', `${key}0`),
      ...(inOtherCase(key) === key ? [] : [withWrongKey('with the key in other capitals', inOtherCase(key))]),
      withWrongKey('with half of the key', key.slice(0, key.length / 2) || null),
      check('with the key as Basic', 401, () => send(path, { authorization: `Basic ${basic(key)}` })),
      ...wrongWithoutKey(operation, path).map(([what, target, options]) =>
        check(`without a key, ${what}`, 401, () => send(target, { ...options, key: null }), undefined, missingKey),
      ),
      ...(operation.method === 'GET'
        ? [
            check('HEAD without a key', 401, () => instance.call('HEAD', path, { key: null })),
            check('HEAD with a wrong key', 401, () => instance.call('HEAD', path, { key: WRONG_KEY })),
          ]
        : []),
      ...(readKey && operation.responses.has(403)
        ? [check('with a key of the scope read', 403, () => send(path, { key: readKey }))]
        : []),
      ...checksOfValues(operation, path, send, check),
    ];
  });
}

/** Beside the value that a check breaks, the request must be valid. */
function checksOfValues(operation, path, send, check) {
  const unknown = unknownOf(operation);
  if (unknown) return [leftOut(operation, 'beyond its keys', unknown)];
  return [
    ...parameterChecks(operation, path, send, check),
    ...(operation.body ? bodyChecks(operation, path, send, check) : []),
    ...(operation.responses.has(413) ? [largeBodyCheck(operation, path, send)] : []),
  ];
}

function parameterChecks(operation, path, send, check) {
  // Then the body is wrong as well.
  const namedOf = (name) => (isNameless(operation) ? name : undefined);
  return operation.parameters.flatMap((parameter) => {
    const { name, in: place, schema } = parameter;
    if (place === 'path') {
      const query = path.split('?').slice(1);
      const of = (value) => [pathOf(operation, { [name]: value }), ...query].join('?');
      const isKnown = operation.responses.has(404);
      const bad = violationsOf(schema, 'target').map(([what, value]) =>
        check(`${name}: ${what}`, isKnown ? 404 : 400, () => send(of(value))),
      );
      if (!isKnown) return bad;
      const ofHead = () => send(of(ABSENT), { method: 'HEAD', body: undefined });
      return [
        check(`${name}: unknown`, 404, () => send(of(ABSENT))),
        ...(operation.method === 'GET' ? [check(`HEAD, ${name}: unknown`, 404, ofHead)] : []),
        ...bad,
      ];
    }
    if (place === 'header') {
      const of = (value) => send(path, { headers: { [name]: value } });
      return brokenHeadersOf(parameter).map(([what, value]) =>
        check(`${name}: ${what}`, 400, () => of(value), namedOf(name)),
      );
    }
    if (place !== 'query') return [];
    return brokenQueriesOf(parameter).map(([what, text]) =>
      check(`${name}: ${what}`, 400, () => send(`${path}${path.includes('?') ? '&' : '?'}${text}`), namedOf(name)),
    );
  });
}

function bodyChecks(operation, path, send, check) {
  const { body, responses } = operation;
  const { body: valid } = harmlessRequest(operation);
  const broken = [
    ...brokenBodies(body, isNameless(operation)),
    ['JSON with a comma too many', valid.replace(/.$/, ',$&')],
    ...(body.isObject ? [['null instead of an object', 'null']] : []),
    ...(body.isObject ? [['a list with the object', `[${valid}]`]] : []),
    ...(body.isRequired ? [['no body', '']] : []),
  ].map(([what, text, named]) => check(what, 400, () => send(path, { body: text }), named));
  if (responses.has(415)) {
    for (const [what, type] of [
      ['a body of another type', 'text/plain'],
      ['a body without a type', null],
    ])
      broken.push(check(what, 415, () => send(path, { body: valid, type })));
  }
  return broken;
}

/** Requests that are wrong beside the key, with what is wrong: without one, the response reveals nothing about a resource or a request. */
function wrongWithoutKey(operation, path) {
  const { body, parameters, responses } = operation;
  const query = parameters.filter((each) => each.in === 'query').flatMap(brokenQueriesOf)[0];
  const hasId = parameters.some((each) => each.in === 'path' && each.schema.type === 'integer');
  const absent = pathOf(operation, Object.fromEntries(parameters.map(({ name }) => [name, ABSENT])));
  return [
    ...(hasId && responses.has(404) ? [['of an unknown resource', absent]] : []),
    ...(query ? [['with a wrong query', `${path}${path.includes('?') ? '&' : '?'}${query[1]}`]] : []),
    ...(body ? [['with a wrong body', path, { body: '{"' }]] : []),
  ];
}

/** An error must name each member that is wrong. */
function namingDifferences({ status, json: error }, named) {
  if (named === undefined || status !== 400) return [];
  return new RegExp(`\\b${named}\\b`).test(error?.message) ? [] : [`the message does not name ${named}`];
}

/** RFC 6750, section 3.1: a challenge says whether a key was sent that is not valid. */
function invalidKey({ status, headers }) {
  const challenge = headers.get('www-authenticate');
  return status === 401 && challenge !== null && !INVALID_TOKEN.test(challenge)
    ? [`WWW-Authenticate is ${challenge}, without error="invalid_token"`]
    : [];
}

function missingKey({ status, headers }) {
  const challenge = headers.get('www-authenticate');
  return status === 401 && INVALID_TOKEN.test(challenge)
    ? [`WWW-Authenticate is ${challenge}, although no key was sent`]
    : [];
}

/** The same length and kinds of characters, after what each key begins with. */
function otherKey(key) {
  return key
    .replace(/(?<=^.{6,})[a-z]/gi, (letter) => (letter === 'a' ? 'b' : 'a'))
    .replace(/(?<=^.{6,})\d/g, (digit) => String((Number(digit) + 1) % 10));
}

const inOtherCase = (key) =>
  key.replace(/(?<=^.{6,})[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

const basic = (key) => Buffer.from(`${key}:`).toString('base64');

/** An instance may allow such bodies; then it is refused for what it lacks. */
function largeBodyCheck(operation, path, send) {
  const [missing] = operation.body.schema.required;
  const run = async () => {
    const response = await send(path, { body: `${LARGE}${missing === undefined ? '{"' : '{}'}` });
    const differences = differencesOf(operation, response, response.status === 400 ? 400 : 413);
    return [...differences, ...namingDifferences(response, missing)];
  };
  return { operation: operation.id, what: 'a body of 1.1 MB, unless BODY_LIMIT allows it', status: 413, run };
}
