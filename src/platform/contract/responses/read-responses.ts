import { checkEach } from '../source/check-each.js';
import type { DeclaredResponse, Responses } from './declared-response.js';
import type { ContractNode } from '../source/contract-node.js';
import { isNullable, isOnlyNull, withAlternatives, withParts } from '../schemas/schema-type.js';
import { checkError } from './check-error.js';
import { headerRule } from './header-rule.js';
import { JSON_TYPE } from './media-types.js';
import { compileSerialiser } from './serialiser.js';

export function readResponses(node: ContractNode): Responses {
  const responses = node.children().filter(({ key }) => !key.startsWith('x-'));
  const names = responses.flatMap(headersOf);
  return new Map(checkEach(responses, (response) => [Number(response.key), readResponse(response, names)]));
}

function readResponse(response: ContractNode, names: readonly string[]): DeclaredResponse {
  const content = response.get('content')?.children() ?? [];
  const json = content.find(({ key }) => key === JSON_TYPE);
  const own = new Set(headersOf(response));
  for (const type of content) if (type.key !== JSON_TYPE) assertPlainSchema(type);
  const serialise = json && compileSerialiser(json.need('schema'));
  if (Number(response.key) >= 400) checkError(response, content.length === 1 ? json : undefined, serialise);
  return {
    position: response.position,
    mediaTypes: content.map(({ key }) => key),
    hasForms: hasForms(content.length, json),
    headers: (response.get('headers')?.children() ?? []).flatMap(headerRule),
    headerNames: own,
    headersOfOthers: [...new Set(names)].filter((name) => !own.has(name)),
    jsonTypes: json && serialise ? jsonTypesOf(json.need('schema')) : [],
    serialise,
  };
}

function jsonTypesOf(schema: ContractNode): string[] {
  return withAlternatives(schema).flatMap((part) => {
    const types = [part.get('type')?.value ?? []].flat().map(String);
    return isNullable(part) || isOnlyNull(part) ? [...types, 'null'] : types;
  });
}

/** A text is valid as JSON and as one other type. With two other types, nothing shows which of them it is for. */
function hasForms(count: number, json: ContractNode | undefined): boolean {
  return json ? count > 2 || (count > 1 && !mayBeText(json.need('schema'))) : count > 1;
}

function mayBeText(schema: ContractNode): boolean {
  const types = withParts(schema).flatMap((part) => part.get('type')?.value ?? []);
  return types.length === 0 || types.includes('string');
}

/** A body that is not JSON is sent as it is. */
function assertPlainSchema(mediaType: ContractNode): void {
  const rule = mediaType
    .get('schema')
    ?.written()
    .find(({ key, value }) => !isFree(key, value));
  if (rule && mediaType.key.endsWith('+json')) {
    mediaType.failAtName(
      `${mediaType.key} would be sent as text that nothing checks; use ${JSON_TYPE}, or "type: string" and write the JSON with writeJson`,
    );
  }
  rule?.failAtName(`"${rule.key}" of a body that is not JSON is not supported; use "type: string"`);
}

const ANNOTATIONS = new Set(['title', 'description', 'example', 'examples', 'externalDocs', 'deprecated']);

function isFree(key: string, value: unknown): boolean {
  return (
    ANNOTATIONS.has(key) ||
    key.startsWith('x-') ||
    (key === 'type' && value === 'string') ||
    (key === 'format' && value === 'binary')
  );
}

/** Their names, in lower case. */
function headersOf(response: ContractNode): string[] {
  const headers = response.get('headers')?.children() ?? [];
  return headers.map(({ key }) => key.toLowerCase());
}
