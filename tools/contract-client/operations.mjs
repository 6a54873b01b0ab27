import { isObject, resolve } from '../contract-diff/document.mjs';
import { comment } from './comment.mjs';
import { numberPlaces } from './number-places.mjs';
import { refuse } from './refusal.mjs';
import { typesOf } from './schema.mjs';
import { typeOf } from './types.mjs';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
/** A browser cannot send TRACE, a response to HEAD has no body, and the service answers OPTIONS itself. */
const REFUSED = ['head', 'options', 'trace'];
const JSON_TYPE = 'application/json';
/** The styles in which the client writes parameters; both are the default of their place. */
const STYLES = { path: 'simple', query: 'form', header: 'simple' };

/** What the client must know about each operation: its types as text, and the facts for the call. */
export function readOperations(document) {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) => {
    for (const name of [...REFUSED, 'servers', '$ref'])
      if (item[name] !== undefined) refuse(`paths.${path}`, `the client cannot honour "${name}" here`);
    return METHODS.filter((method) => item[method] !== undefined).map((method) =>
      readOperation(document, path, method, item[method], item.parameters ?? []),
    );
  });
}

function readOperation(document, path, method, operation, shared) {
  const place = `paths.${path}.${method}`;
  const { operationId, responses = {}, servers } = operation;
  if (operationId === undefined) refuse(place, 'the client requires an operationId, the name of its method');
  if (servers !== undefined) refuse(place, 'the client cannot honour "servers" here');
  const own = (operation.parameters ?? []).map((parameter) => resolve(parameter, document));
  const inherited = shared
    .map((parameter) => resolve(parameter, document))
    .filter((parameter) => !own.some((one) => idOf(one) === idOf(parameter)));
  return {
    id: operationId,
    comment: comment(operation),
    request: requestType([...inherited, ...own], operation.requestBody, document, place),
    responses: Object.entries(responses).map(([status, response]) =>
      readResponse(status, resolve(response, document), document, `${place}.responses.${status}`),
    ),
    call: {
      method: method.toUpperCase(),
      path,
      sendsKey: sendsKey(operation.security ?? document.security, document, place),
    },
  };
}

/** Case does not matter in the name of a header. */
const idOf = ({ in: where, name }) => `${where} ${where === 'header' ? name.toLowerCase() : name}`;

function requestType(parameters, requestBody, document, place) {
  const groups = ['path', 'query', 'header'].flatMap((where) => {
    const group = parameters.filter((parameter) => parameter.in === where);
    if (group.length === 0) return [];
    const optional = group.some(({ required }) => required) ? '' : '?';
    const members = group.map((parameter) =>
      parameterType(parameter, document, `${place}.parameters.${parameter.name}`),
    );
    return [`${where}${optional}: { ${members.join('\n')} };`];
  });
  const cookie = parameters.find(({ in: where }) => where === 'cookie');
  if (cookie) refuse(`${place}.parameters.${cookie.name}`, 'the client cannot send cookies: a browser forbids it');
  if (requestBody !== undefined) {
    const { content, required } = resolve(requestBody, document);
    const schema = jsonOf(content, `${place}.requestBody`).schema;
    const type = typeOf(schema, 'request', document, `${place}.requestBody.schema`);
    groups.push(`body${required === true ? '' : '?'}: ${type};`);
  }
  return `{ ${groups.join('\n')} }`;
}

function parameterType(parameter, document, place) {
  const { name, in: where, required, schema, style, explode, content, allowReserved } = parameter;
  if (content !== undefined) refuse(place, 'the client cannot write a parameter with "content"');
  if (allowReserved === true) refuse(place, 'the client cannot write a parameter with "allowReserved"');
  if (style !== undefined && style !== STYLES[where]) refuse(place, `the client cannot write the style "${style}"`);
  const types = scalarsOf(schema, document);
  if (types.includes('object')) refuse(place, 'the client cannot write an object as a parameter');
  if (types.includes('array') && (where !== 'query' || explode === false))
    refuse(place, 'the client can write a list only in the query, as a repeated parameter');
  const type = typeOf(schema, 'request', document, `${place}.schema`);
  return `${comment({ ...parameter, default: schema?.default })}${JSON.stringify(name)}${required ? '' : '?'}: ${type};`;
}

function scalarsOf(schema, document) {
  const target = isObject(schema) ? resolve(schema, document) : {};
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) => target[keyword] ?? []);
  return [...typesOf(target), ...parts.flatMap((part) => scalarsOf(part, document))];
}

function readResponse(status, { headers = {}, content }, document, place) {
  if (!/^[1-5]\d\d$/.test(status)) refuse(place, 'the client requires single statuses, such as 200');
  const names = Object.keys(headers).map((name) => JSON.stringify(name));
  const media = content === undefined ? undefined : jsonOf(content, place);
  const body = media === undefined ? 'undefined' : typeOf(media.schema, 'response', document, `${place}.schema`);
  return {
    status,
    type: `{ body: ${body}; headers: ${names.join(' | ') || 'never'} }`,
    body: media === undefined ? null : (numberPlaces(media.schema, document, `${place}.schema`) ?? {}),
  };
}

function jsonOf(content, place) {
  const media = content[JSON_TYPE];
  if (media === undefined) refuse(place, `the client requires ${JSON_TYPE}, not ${Object.keys(content).join(', ')}`);
  return media;
}

/** Whether the operation requires the key; the client knows one key, sent as bearer token. */
function sendsKey(requirements = [], document, place) {
  if (requirements.length === 0) return false;
  const [names, ...others] = requirements.map((requirement) => Object.keys(requirement));
  const scheme = resolve(document.components?.securitySchemes?.[names[0]], document);
  if (others.length > 0 || names.length !== 1 || scheme?.type !== 'http' || scheme.scheme !== 'bearer')
    refuse(`${place}.security`, 'the client requires one HTTP bearer scheme, or none');
  return true;
}
