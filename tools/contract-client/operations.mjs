import { isObject, resolve } from '../contract/document.mjs';
import { comment } from './comment.mjs';
import { numberPlaces } from './number-places.mjs';
import { refuse, unlessRefused } from './refusal.mjs';
import { typesOf } from './schema.mjs';
import { typeOf } from './types.mjs';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
/** A browser cannot send TRACE, a response to HEAD has no body, and the service answers OPTIONS itself. */
const REFUSED = ['head', 'options', 'trace'];
const JSON_TYPE = 'application/json';
/** Media types whose content is read as one text. Others may be bytes, or never end. */
const TEXT_TYPES = /^text\/(?!event-stream)|[/+](?:json|xml)$/i;
/** The styles in which the client writes parameters; the first is the default of its place. */
const STYLES = {
  path: ['simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};
/** Where the client writes lists. */
const LISTS = new Set(['query', 'header']);

/**
 * What the client must know about each operation: its types as text, and the facts for the call. Calls `leaveOut` with a
 * sentence about each one that the client cannot honour.
 */
export function readOperations(document, leaveOut) {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) => {
    const unknown = [...REFUSED, 'servers', '$ref'].filter((name) => item[name] !== undefined);
    for (const name of unknown) leaveOut(`openapi.yaml paths.${path}: the client cannot honour "${name}" here.`);
    if (unknown.some((name) => !REFUSED.includes(name))) return [];
    return METHODS.filter((method) => item[method] !== undefined).flatMap((method) =>
      unlessRefused(
        () => [readOperation(document, path, method, item[method], item.parameters ?? [])],
        [],
        (message) => leaveOut(`${message.slice(0, -1)}; the client leaves this operation out.`),
      ),
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
  const parameters = [...inherited, ...own];
  const styles = parameters
    .map((parameter) => [parameter.name, styleOf(parameter, document)])
    .filter(([, style]) => style);
  return {
    id: operationId,
    comment: comment(operation),
    request: requestType(parameters, operation.requestBody, document, place),
    responses: Object.entries(responses).map(([status, response]) =>
      readResponse(status, resolve(response, document), document, `${place}.responses.${status}`),
    ),
    call: {
      method: method.toUpperCase(),
      path,
      sendsKey: sendsKey(operation.security ?? document.security, document, place),
      ...(styles.length > 0 && { styles: Object.fromEntries(styles) }),
    },
  };
}

/** Case does not matter in the name of a header. */
const idOf = ({ in: where, name }) => `${where} ${where === 'header' ? name.toLowerCase() : name}`;

function requestType(parameters, requestBody, document, place) {
  const groups = ['path', 'query', 'header', 'cookie'].flatMap((where) => {
    const group = parameters.filter((parameter) => parameter.in === where);
    if (group.length === 0) return [];
    const optional = group.some(({ required }) => required) ? '' : '?';
    const members = group.map((parameter) =>
      parameterType(parameter, document, `${place}.parameters.${parameter.name}`),
    );
    return [`${where}${optional}: { ${members.join('\n')} };`];
  });
  if (requestBody !== undefined) {
    const { content, required } = resolve(requestBody, document);
    const { schema } = jsonOf(content, `${place}.requestBody`);
    const type = typeOf(schema, 'request', document, `${place}.requestBody.schema`);
    groups.push(`body${required === true ? '' : '?'}: ${type};`);
  }
  return `{ ${groups.join('\n')} }`;
}

function parameterType(parameter, document, place) {
  const { name, in: where, required, schema, content, style = STYLES[where][0] } = parameter;
  if (content !== undefined) refuse(place, 'the client cannot write a parameter with "content"');
  if (!STYLES[where].includes(style)) refuse(place, `the client cannot write the style "${style}"`);
  const types = scalarsOf(schema, document);
  if (types.includes('object') && style !== 'deepObject')
    refuse(place, 'the client can write an object as a parameter only in the style deepObject');
  if (types.includes('array') && !LISTS.has(where))
    refuse(place, 'the client can write a list only in the query and in headers');
  if (innerOf(schema, document).some((one) => ['array', 'object'].includes(one)))
    refuse(place, 'the client can write only text, numbers and booleans inside a parameter');
  const type = typeOf(schema, 'request', document, `${place}.schema`);
  return `${comment({ ...parameter, default: schema?.default })}${JSON.stringify(name)}${required ? '' : '?'}: ${type};`;
}

function scalarsOf(schema, document) {
  const target = isObject(schema) ? resolve(schema, document) : {};
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) => target[keyword] ?? []);
  return [...typesOf(target), ...parts.flatMap((part) => scalarsOf(part, document))];
}

/** The types of the items of a list, and of the members of an object. */
function innerOf(schema, document) {
  const target = isObject(schema) ? resolve(schema, document) : {};
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) => target[keyword] ?? []);
  const inner = [target.items ?? [], Object.values(target.properties ?? {})].flat();
  return [...inner.flatMap((one) => scalarsOf(one, document)), ...parts.flatMap((part) => innerOf(part, document))];
}

/** How a parameter of the query is written; undefined where a list is repeated, as for one value. */
function styleOf({ in: where, schema, style = 'form', explode = style === 'form' }, document) {
  if (where !== 'query' || (style === 'form' && explode)) return undefined;
  const types = scalarsOf(schema, document);
  return types.includes('array') || style === 'deepObject' ? style : undefined;
}

function readResponse(status, { headers = {}, content }, document, place) {
  if (!/^[1-5]\d\d$/.test(status)) refuse(place, 'the client requires single statuses, such as 200');
  const names = Object.keys(headers).map((name) => JSON.stringify(name));
  const { type, body } = readContent(content, document, place);
  return { status, type: `{ body: ${type}; headers: ${names.join(' | ') || 'never'} }`, body };
}

/** Of several media types the client asks for JSON, or else for the first one. */
function readContent(content, document, place) {
  const [media] = Object.keys(content ?? {});
  if (media === undefined) return { type: 'undefined', body: null };
  if (content[JSON_TYPE] !== undefined) {
    const { schema } = content[JSON_TYPE];
    const type = typeOf(schema, 'response', document, `${place}.schema`);
    return { type, body: numberPlaces(schema, document, `${place}.schema`) ?? {} };
  }
  if (media.includes('*')) refuse(place, `the client requires one media type, not ${media}`);
  const isText = TEXT_TYPES.test(media);
  return { type: isText ? 'string' : "Response['body']", body: { media, as: isText ? 'text' : 'stream' } };
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
