import type { Operation } from '../contract.js';
import type { Facts } from './facts.js';
import type { Header, MediaType, Parameter, RequestBody, Response, SecurityRequirement } from '../open-api.js';
import { schemaFacts } from './schema-facts.js';

/** The properties of an operation that a caller can notice, without prose and examples. */
export function operationFacts(operation: Operation, defaultSecurity: readonly SecurityRequirement[]): Facts {
  return {
    operationId: operation.operationId ?? 'absent',
    tags: operation.tags?.toSorted().join(', ') ?? 'absent',
    deprecated: String(operation.deprecated ?? false),
    security: securityFact(operation.security ?? defaultSecurity),
    ...named('parameter', operation.parameters?.filter(isDocumented), parameterName, parameterFacts),
    ...(operation.requestBody && { body: bodyFacts(operation.requestBody) }),
    ...named(
      'response',
      Object.entries(operation.responses),
      ([status]) => status,
      ([, response]) => responseFacts(response),
    ),
  };
}

/** @nestjs/swagger cannot describe a cookie. The start compares those that handlers take. */
function isDocumented({ in: place }: Parameter): boolean {
  return place !== 'cookie';
}

/** Names of headers have no case: `@Headers('if-match')` takes `If-Match`. */
function parameterName({ name, in: place }: Parameter): string {
  return place === 'header' ? name.toLowerCase() : name;
}

function parameterFacts({ in: place, required = false, schema = {} }: Parameter): Facts {
  return { in: place, required: String(required), ...schemaFacts(schema) };
}

function bodyFacts({ required = false, content }: RequestBody): Facts {
  return { required: String(required), ...contentFacts(content) };
}

function responseFacts({ headers, content }: Response): Facts {
  const fields = Object.entries(headers ?? {});
  return {
    ...named(
      'header',
      fields,
      ([name]) => name.toLowerCase(),
      ([, header]) => headerFacts(header),
    ),
    ...contentFacts(content),
  };
}

function headerFacts({ required = false, schema = {} }: Header): Facts {
  return { required: String(required), ...schemaFacts(schema) };
}

function contentFacts(content: Record<string, MediaType> = {}): Facts {
  return Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, schemaFacts(schema ?? {})]));
}

/** Alternatives, each with the schemes that it requires together. */
function securityFact(requirements: readonly SecurityRequirement[]): string {
  const alternatives = requirements.map((requirement) => Object.keys(requirement).toSorted().join(' and '));
  return alternatives.toSorted().join(' or ') || 'none';
}

function named<T>(
  kind: string,
  items: readonly T[] = [],
  nameOf: (item: T) => string,
  factsOf: (item: T) => Facts,
): Facts {
  return Object.fromEntries(items.map((item) => [`${kind} ${nameOf(item)}`, factsOf(item)]));
}
