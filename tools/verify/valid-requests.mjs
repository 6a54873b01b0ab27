import { canBe, json, requiredOf } from './violations.mjs';

/** An id that no instance has assigned yet: the greatest one of int64. */
export const ABSENT = '9223372036854775807';

/** A value of a parameter for which the contract names none. */
const OTHERWISE = '1';

/** The path of an operation with the values of its parameters; those that `values` lacks are valid. */
export function pathOf({ path, parameters }, values = {}) {
  return parameters
    .filter((each) => each.in === 'path')
    .reduce(
      (text, each) => text.replace(`{${each.name}}`, encodeURIComponent(values[each.name] ?? valueOf(each))),
      path,
    );
}

/** What a request needs, so that each operation succeeds: its path with the required query, its required headers and its body. */
export function validRequest(operation, id = '1') {
  const needed = (place) => operation.parameters.filter((each) => each.in === place && each.required === true);
  const query = needed('query').map((each) => `${encodeURIComponent(each.name)}=${encodeURIComponent(valueOf(each))}`);
  const ids = operation.parameters
    .filter((each) => each.in === 'path' && each.schema.type === 'integer')
    .map(({ name }) => [name, id]);
  return {
    path: [pathOf(operation, Object.fromEntries(ids)), ...(query.length > 0 ? [query.join('&')] : [])].join('?'),
    headers: Object.fromEntries(needed('header').map((each) => [each.name, valueOf(each)])),
    body: operation.body && json(operation.body.example),
  };
}

/** Why no valid request of an operation is known; undefined when one is. */
export function unknownOf({ body, parameters }) {
  if (body && body.example === undefined) return 'its body has no example';
  const unknown = parameters.find((each) => each.required === true && each.in !== 'path' && !isKnown(each));
  return unknown && `its ${unknown.in} parameter ${unknown.name} has no example`;
}

function isKnown(parameter) {
  const { type, format, maximum = 1 } = parameter.schema;
  if (declaredValue(parameter) !== undefined) return true;
  if (type === 'integer' || type === 'number') return maximum >= 1;
  return format === undefined && canBe(parameter.schema, OTHERWISE);
}

/** Takes the place of checks that are left out, so that the result names them. */
export const leftOut = ({ id }, checks, reason) => ({
  operation: id,
  what: checks,
  run: async () => undefined,
  otherwise: `${id} ${checks} (${reason})`,
});

/**
 * The same for requests that an instance must refuse: if it does not, they must change nothing that exists, and create nothing
 * whose name does not say so. A body that cannot say so therefore lacks a member.
 */
export function harmlessRequest(operation) {
  const request = validRequest(operation, operation.method === 'GET' ? '1' : ABSENT);
  if (!isNameless(operation)) return request;
  const { example, schema } = operation.body;
  const [missing] = requiredOf(schema);
  return { ...request, body: missing === undefined ? '{"' : json({ ...example, [missing]: undefined }) };
}

/** Whether a valid request could create what does not say where it comes from. */
export const isNameless = ({ body, parameters }) =>
  body !== undefined && !body.isNamed && !parameters.some((each) => each.in === 'path');

const valueOf = (parameter) => String(declaredValue(parameter) ?? OTHERWISE);

function declaredValue({ example, examples = {}, schema }) {
  const listed = Object.values(examples)[0]?.value;
  return example ?? listed ?? schema.example ?? schema.enum?.[0] ?? schema.minimum;
}
