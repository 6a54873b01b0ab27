import Ajv from 'ajv';
import { isObject, parseDocument, resolve as resolveIn } from '../contract/document.mjs';
import { tagsOf } from '../contract/tags.mjs';
import { canBe } from './violations.mjs';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * The operations of openapi.yaml, with references resolved. Examples of bodies get `name` where they can have it, so that what
 * they create says where it comes from.
 */
export function readOperations(text, name) {
  const { document, resolve, ajv } = read(text);
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const operation = item[method];
      const media = operation.requestBody && resolve(operation.requestBody).content['application/json'];
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        isDeprecated: operation.deprecated === true,
        deprecatedAt: operation['x-deprecated-at'],
        sunset: operation['x-sunset'],
        successor: pathOfOperation(document, operation['x-successor']),
        documentation: operation.externalDocs?.url,
        parameters: parametersOf(item, operation, resolve),
        body: media && bodyOf(resolve(operation.requestBody), media, resolve, name),
        responses: responsesOf(operation.responses, document, resolve, ajv),
      };
    }),
  );
}

/** The responses that belong to no operation. */
export function readProtocolResponses(text) {
  const { document, resolve, ajv } = read(text);
  return responsesOf(document['x-protocol-responses'] ?? {}, document, resolve, ajv);
}

function read(text) {
  const document = parseDocument(text);
  const resolve = (value) => resolveIn(value, document);
  return { document, resolve, ajv: new Ajv({ strict: false, validateFormats: false }) };
}

function responsesOf(responses, document, resolve, ajv) {
  return new Map(
    Object.entries(responses).map(([status, each]) => {
      const { headers = {}, content } = resolve(each);
      const media = content?.['application/json'];
      const schema = media?.schema;
      const validate = schema && ajv.compile(tagged(readable(numbers({ ...schema, components: document.components }))));
      const declared = {
        validate,
        headers: Object.entries(headers).map(([name, header]) => {
          const { required, schema: value } = resolve(header);
          return { name, required, schema: resolve(value) };
        }),
        // A schema of another type has no members.
        members: schema ? Object.keys(flat(resolve(schema), resolve).properties) : [],
        codes: media ? codesOf(media, resolve) : [],
      };
      return [Number(status), declared];
    }),
  );
}

const pathOfOperation = (document, id) =>
  id &&
  Object.entries(document.paths).find(([, item]) => METHODS.some((method) => item[method]?.operationId === id))?.[0];

/** Those of the path as well; one of the operation replaces one of the same name. */
function parametersOf(item, operation, resolve) {
  const all = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve);
  const byName = new Map(all.map((parameter) => [`${parameter.in} ${parameter.name.toLowerCase()}`, parameter]));
  return [...byName.values()].map((parameter) => ({ ...parameter, schema: merged(parameter.schema, resolve) }));
}

function bodyOf({ required }, media, resolve, name) {
  const { type, nullable, additionalProperties } = merged(media.schema, resolve);
  const schema = flat(resolve(media.schema), resolve);
  const example = exampleOf(media, resolve);
  const isNamed = name !== undefined && example !== undefined && canBe(schema.properties.name, name);
  return {
    schema,
    example: isNamed ? { ...example, name } : example,
    isNamed,
    isRequired: required === true,
    isObject: String(type) === 'object' && nullable !== true,
    isOpen: additionalProperties !== false,
  };
}

/** A schema of an object with the members of its `allOf`, and each member as one schema. */
function flat(schema, resolve) {
  const parts = [schema, ...(schema.allOf ?? []).map((part) => flat(resolve(part), resolve))];
  const properties = Object.assign({}, ...parts.map((part) => part.properties));
  return {
    required: parts.flatMap((part) => part.required ?? []),
    properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, merged(member, resolve)])),
  };
}

/** The keywords of a parameter or member, whether they stand there, in a component or in parts of `allOf`. */
function merged(schema, resolve) {
  const { allOf = [], ...own } = resolve(schema) ?? {};
  return Object.assign({}, ...allOf.map((part) => merged(part, resolve)), own);
}

function exampleOf({ example, examples = {}, schema }, resolve) {
  return example ?? resolve(Object.values(examples)[0])?.value ?? resolve(schema)?.example;
}

/** The codes of errors in its examples. */
function codesOf({ example, examples = {} }, resolve) {
  const found = [example, ...Object.values(examples).map((each) => resolve(each).value)].map((value) => value?.code);
  return [...new Set(found.filter((code) => typeof code === 'string'))];
}

/**
 * Ajv compares numbers; where a bound of int64 is rounded, pet-checks.mjs compares the text. It does not know the flags of
 * OpenAPI 3.0 for exclusive bounds.
 */
function numbers(value) {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(numbers);
  if (typeof value !== 'object' || value === null) return value;
  const { exclusiveMinimum, exclusiveMaximum, ...members } = value;
  const bounds = {
    ...boundOf('minimum', 'exclusiveMinimum', members, exclusiveMinimum),
    ...boundOf('maximum', 'exclusiveMaximum', members, exclusiveMaximum),
  };
  return Object.fromEntries(Object.entries({ ...members, ...bounds }).map(([name, member]) => [name, numbers(member)]));
}

/** No response has a writeOnly member, however it is required. */
function readable(value) {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null) return value;
  const { required, properties = {} } = value;
  const returned = Array.isArray(required) && required.filter((name) => properties[name]?.writeOnly !== true);
  const members = Object.entries({ ...value, ...(returned && { required: returned }) });
  return Object.fromEntries(members.map(([name, member]) => [name, readable(member)]));
}

/** The tag of a discriminator decides which alternative counts; by their structure, another one could match. */
function tagged(value) {
  if (Array.isArray(value)) return value.map(tagged);
  if (!isObject(value)) return value;
  const chosen = Object.entries(value).map(([name, member]) => [name, tagged(member)]);
  const kind = ['oneOf', 'anyOf'].find((each) => Array.isArray(value[each]));
  const tag = value.discriminator?.propertyName;
  const tags = kind && typeof tag === 'string' ? tagsOf(value, kind) : undefined;
  if (!tags) return Object.fromEntries(chosen);
  const { [kind]: _, allOf = [], ...others } = Object.fromEntries(chosen);
  return {
    ...others,
    allOf: [
      ...allOf,
      { type: 'object', required: [tag], properties: { [tag]: { enum: Object.keys(tags) } } },
      ...Object.entries(tags).map(([name, alternative]) => ({
        if: { properties: { [tag]: { not: { const: name } } } },
        else: alternative,
      })),
    ],
  };
}

function boundOf(name, exclusiveName, members, exclusive) {
  if (exclusive === undefined || exclusive === false) return {};
  return { [exclusiveName]: exclusive === true ? members[name] : exclusive };
}
