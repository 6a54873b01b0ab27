import type { DeclaredResponse, Responses } from './declared-response.js';
import type { ContractNode } from '../source/contract-node.js';
import { headerRule } from './header-rule.js';
import { compileSerialiser, type Serialiser } from './serialiser.js';

const JSON_TYPE = 'application/json';

/** The platform sends these for any operation. */
const ALWAYS_NEEDED = [500, 503];

export function readOperationResponses(node: ContractNode): Responses {
  const responses = readResponses(node);
  if (ALWAYS_NEEDED.every((status) => responses.has(status))) return responses;
  return node.failAtName('an operation must declare 500 and 503: it may fail, and the service may be stopping');
}

export function readResponses(node: ContractNode): Responses {
  const responses = node.children().filter(({ key }) => !key.startsWith('x-'));
  const names = responses.flatMap(headersOf);
  return new Map(responses.map((response) => [Number(response.key), readResponse(response, names)]));
}

function readResponse(response: ContractNode, names: readonly string[]): DeclaredResponse {
  const content = response.get('content');
  const json = content?.get(JSON_TYPE);
  const own = new Set(headersOf(response));
  const mediaType = content?.children()[0]?.key;
  if (content && mediaType !== JSON_TYPE) checkText(content.children());
  const serialise = json && compileSerialiser(json.need('schema'));
  if (Number(response.key) >= 400 && content) checkError(response, json, serialise);
  return {
    mediaType,
    headers: (response.get('headers')?.children() ?? []).flatMap(headerRule),
    headersOfOthers: [...new Set(names)].filter((name) => !own.has(name)),
    serialise,
  };
}

/** A message may be long: it has a sentence for each violation. */
const MESSAGE = 'A sentence; another one. '.repeat(1000);

/** Every error is an Error body. One that its own schema refuses would make each bad request a 500. */
function checkError(response: ContractNode, json: ContractNode | undefined, serialise: Serialiser | undefined): void {
  if (!json || !serialise) return response.failAtName('the body of an error must be application/json');
  const schema = json.need('schema');
  const code = schema.get('properties')?.get('code')?.get('enum')?.children()[0]?.value ?? 'BAD_REQUEST';
  try {
    serialise({ code, message: MESSAGE, status: Number(response.key) });
  } catch {
    json.need('schema').fail('the schema of an error must accept any text as "message", beside "code" and "status"');
  }
}

/** A body that is not JSON is sent as it is. */
function checkText(mediaTypes: readonly ContractNode[]): void {
  if (mediaTypes.length === 0) return;
  const [mediaType] = mediaTypes;
  const schema = mediaType?.get('schema');
  const rule = schema?.written().find(({ key, value }) => !isFree(key, value));
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

interface Refusals {
  /** Whether a request can be invalid, by its path or by another part. */
  readonly check: { readonly path?: object; readonly rest?: object };
  readonly hasBody: boolean;
  readonly isSecured: boolean;
}

/** An operation must declare the statuses with which the service refuses its requests. */
export function checkStatuses(node: ContractNode, responses: Responses, { check, hasBody, isSecured }: Refusals): void {
  const needed: [boolean, number, string][] = [
    [isSecured, 401, 'it requires a key'],
    [check.rest !== undefined, 400, 'its parameters and its body can be invalid'],
    [hasBody, 413, 'its body can be too large'],
    [hasBody, 415, 'its body can have another media type'],
    [check.path !== undefined && !responses.has(400), 404, 'its path can be invalid'],
  ];
  for (const [isNeeded, status, reason] of needed) {
    if (isNeeded && !responses.has(status)) node.failAtName(`the operation must declare ${status}: ${reason}`);
  }
}
