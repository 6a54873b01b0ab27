import { randomUUID } from 'node:crypto';
import { differencesOf } from './differences.mjs';
import { leftOut, unknownOf, validRequest } from './valid-requests.mjs';
import { brokenBodies, json } from './violations.mjs';

/** Requests that are sent at once, so that at least one arrives while another one runs. */
const AT_ONCE = 5;
/** Codes of errors that are about the key. */
const KEY_CODES = new Set(['REQUEST_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED']);
/** Characters of a long key, which a short column would refuse. */
const LONG_KEY = 255;
/** Ids after that of the first response at which a second resource is looked for: other callers may have added some. */
const NEXT_IDS = 3;

/**
 * For each operation that accepts an `Idempotency-Key`: a repeated request is carried out once, and gets the first response.
 * The derived checks name an operation for which no valid request is known.
 */
export function repetitionChecks(operations, instance) {
  return operations
    .filter((operation) => operation.parameters.some(isIdempotencyKey) && !unknownOf(operation))
    .flatMap((operation) => {
      const reason = reasonToLeaveOut(operation);
      return reason
        ? [leftOut(operation, 'with a repeated Idempotency-Key', reason)]
        : checksOf(operation, instance, validRequest(operation));
    });
}

/** A request to a resource that exists would change it, and one without a name would leave something that cannot be recognised. */
function reasonToLeaveOut({ method, parameters, body }) {
  if (parameters.some((each) => each.in === 'path')) return 'its path has a parameter';
  if (!body) return 'it has no body';
  if (method !== 'POST') return 'it may change what exists';
  return body.isNamed ? undefined : 'its body has no name that could say where it comes from';
}

function isIdempotencyKey({ in: place, name }) {
  return place === 'header' && name === 'Idempotency-Key';
}

function checksOf(operation, instance, { path, headers, body }) {
  const success = [...operation.responses.keys()].find((status) => status < 300);
  const send = (key, text = body) =>
    instance.call(operation.method, path, { body: text, headers: { ...headers, 'Idempotency-Key': key } });
  const check = (what, status, run, otherwise) => ({ operation: operation.id, what, status, run, otherwise });
  /** Ends without a result when the instance refuses the example. */
  const checkExample = (what, status, run) =>
    check(what, status, run, `${operation.id}, ${what} (its example gets 409 or 422)`);
  /** `first` is the response to a request that differs only in its key. */
  const checkOther = (how, otherKey, first) =>
    checkExample(`an Idempotency-Key ${how} is another one`, success, async () => {
      const response = await send(otherKey);
      if (refusesExample(response)) return undefined;
      const isSame = isSameResource(first(), response);
      return [
        ...differencesOf(operation, response, success),
        ...(isSame ? ['the response is that to the first one'] : []),
      ];
    });
  const refusesExample = (response) => isAboutState(operation, response);
  const other = withoutOptionalMembers(operation.body);
  const [key, sharedKey] = [randomUUID(), randomUUID()];
  const longKey = randomUUID().repeat(8).slice(0, LONG_KEY);
  const { pattern, maxLength = Infinity } = operation.parameters.find(isIdempotencyKey).schema;
  const fits = (text) => text.length <= maxLength && (pattern === undefined || new RegExp(pattern, 'u').test(text));
  // RFC 9651: the value of a string does not have its quotes.
  const isQuotable = pattern !== undefined && [key, `"${key}"`].every(fits);
  let original;
  let longOriginal;
  let hasFirst = true;
  let refused = [];
  return [
    checkExample('a repeated Idempotency-Key gets the first response, and adds nothing', success, async () => {
      const [first, second] = [await send(key), await send(key)];
      original = first;
      hasFirst = !refusesExample(first);
      if (!hasFirst) return undefined;
      const quoted = isQuotable ? differencesBetween(first, await send(`"${key}"`)) : [];
      return [
        ...differencesOf(operation, first, success),
        ...differencesBetween(first, second),
        ...quoted.map((difference) => `${difference}, with quotes around the key`),
        ...(await addedAfter(first, instance)),
      ];
    }),
    ...(other === body
      ? []
      : [
          checkExample('an Idempotency-Key with another body', 422, async () =>
            hasFirst ? differencesOf(operation, await send(key, other), 422) : undefined,
          ),
        ]),
    ...(fits(longKey)
      ? [
          checkExample(`an Idempotency-Key of ${LONG_KEY} characters`, success, async () => {
            const [first, second] = [await send(longKey), await send(longKey)];
            longOriginal = first;
            if (refusesExample(first)) return undefined;
            return [...differencesOf(operation, first, success), ...differencesBetween(first, second)];
          }),
          checkOther('with another last character', otherEnd(longKey), () => longOriginal),
        ]
      : []),
    ...(fits(key.toUpperCase()) ? [checkOther('in other capitals', key.toUpperCase(), () => original)] : []),
    checkExample('a refused request does not use up its Idempotency-Key', success, async () => {
      const refusedKey = randomUUID();
      const refusals = [];
      for (const text of ['{', ...brokenBodiesWithName(operation.body)]) refusals.push(await send(refusedKey, text));
      const accepted = await send(refusedKey);
      if (refusesExample(accepted)) return undefined;
      return [
        ...new Set(refusals.flatMap((refusal) => differencesOf(operation, refusal, 400))),
        ...differencesOf(operation, accepted, success),
      ];
    }),
    checkExample(`${AT_ONCE} requests at once with one Idempotency-Key`, success, async () => {
      const responses = await Promise.all(Array.from({ length: AT_ONCE }, () => send(sharedKey)));
      refused = responses.filter((each) => each.status === 409 && !refusesExample(each));
      const answered = responses.filter((each) => !refused.includes(each));
      const first = answered.find((each) => !refusesExample(each));
      if (!first && answered.length > 0) return undefined;
      if (!first) return [`status 409 for all of them instead of ${success} for one`];
      const rest = answered.filter((each) => each !== first);
      return [...differencesOf(operation, first, success), ...rest.flatMap((each) => differencesBetween(first, each))];
    }),
    // Depends on timing: undefined when every request arrived after another one had ended.
    check('an Idempotency-Key of a request in progress', 409, async () =>
      refused.length === 0 ? undefined : [...new Set(refused.flatMap((each) => differencesOf(operation, each, 409)))],
    ),
  ];
}

/** A declared refusal of what the example says, such as a unique member that another resource has: the schema does not show it. */
function isAboutState(operation, response) {
  const { status, json: error } = response;
  const isOther = [409, 422].includes(status) && !KEY_CODES.has(error?.code);
  return isOther && differencesOf(operation, response, status).length === 0;
}

/** Keeps the name: an instance that carries the request out must not leave anything without it. */
function withoutOptionalMembers({ schema, example }) {
  const kept = new Set(['name', ...schema.required]);
  return json(Object.fromEntries(Object.entries(example).filter(([name]) => kept.has(name))));
}

function differencesBetween(first, second) {
  if (second.status !== first.status) return [`status ${second.status} instead of ${first.status}`];
  return [
    ...(second.text === first.text ? [] : ['the body differs from that of the first response']),
    ...(second.headers.get('location') === first.headers.get('location')
      ? []
      : ['the header Location differs from that of the first response']),
  ];
}

/** At most one: JSON that breaks the schema, but would leave what has the name. */
function brokenBodiesWithName(body) {
  const name = JSON.stringify(body.example.name);
  return brokenBodies(body)
    .map(([, text]) => text)
    .filter((text) => text.includes(name))
    .slice(0, 1);
}

/** A repetition gets the `Location` of the first resource, or where there is none, its id. */
function isSameResource(first, other) {
  if (first === undefined || other.status !== first.status) return false;
  const location = first.headers.get('location');
  if (location !== null) return other.headers.get('location') === location;
  return first.json?.id !== undefined && other.text === first.text;
}

const otherEnd = (text) => `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;

/** The repetition must not have added the resource again, under one of the next ids. */
async function addedAfter({ headers, json: added }, instance) {
  const [, parent, id] = /^(.*\/)(\d+)$/.exec(headers.get('location') ?? '') ?? [];
  if (id === undefined) return [];
  for (let step = 1n; step <= NEXT_IDS; step += 1n) {
    const next = await instance.call('GET', instance.relative(`${parent}${BigInt(id) + step}`));
    if (next.status === 200 && content(next.json) === content(added)) return ['the repetition was carried out again'];
  }
  return [];
}

function content(resource) {
  return JSON.stringify({ ...resource, id: undefined });
}
