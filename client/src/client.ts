import { operations, type Operations } from './contract.generated.js';
import { readJson, writeJson } from './exact-json.js';
import type { OperationCall } from './operation-call.js';
import { type Parameters, requestTarget, type Scalar, textOf } from './request-target.js';

export type { Operations, Schemas } from './contract.generated.js';
export { nextCursor } from './next-cursor.js';

export interface ClientOptions {
  /** The base address with its version, such as `https://petstore.example/v1`. */
  readonly baseUrl: string;
  /** The API key. */
  readonly key: string;
  /** Replaces the global fetch, for example to add retries or headers. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** A response that the contract declares; `ok` and `status` tell which one. */
export type Result<Id extends keyof Operations> = {
  [Status in keyof Operations[Id]['responses'] & number]: Answer<Status, Operations[Id]['responses'][Status]>;
}[keyof Operations[Id]['responses'] & number];

interface Answer<Status extends number, Declared> {
  readonly ok: `${Status}` extends `2${string}` ? true : false;
  readonly status: Status;
  readonly body: Declared extends { body: infer Body } ? Body : never;
  /** The declared headers; `response` has all of them. In a browser, CORS hides those that the service does not expose. */
  readonly headers: { get(name: Declared extends { headers: infer Name } ? Name : never): string | null };
  readonly response: Response;
}

type Arguments<Request> =
  Partial<Request> extends Request
    ? [request?: Request, options?: CallOptions]
    : [request: Request, options?: CallOptions];

/** One method for each operation of the contract. */
export type Client = {
  readonly [Id in keyof Operations]: (...args: Arguments<Operations[Id]['request']>) => Promise<Result<Id>>;
};

/** A response that the contract does not declare, for example one of a proxy. */
export class UnexpectedResponse extends Error {
  override readonly name = 'UnexpectedResponse';

  constructor(
    readonly response: Response,
    readonly text: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`${response.status} ${reason}.`, options);
  }
}

interface AnyRequest extends Parameters {
  readonly header?: { readonly [name: string]: Scalar | undefined };
  readonly body?: unknown;
}

export function createClient({ baseUrl, key, fetch: send = fetch }: ClientOptions): Client {
  const base = baseUrl.replace(/\/+$/, '');
  const call = async (operation: OperationCall, request: AnyRequest = {}, { signal }: CallOptions = {}) => {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (operation.sendsKey) headers.authorization = `Bearer ${key}`;
    if (request.body !== undefined) headers['content-type'] = 'application/json';
    for (const [name, value] of Object.entries(request.header ?? {}))
      if (value !== undefined) headers[name] = textOf(value);
    const response = await send(`${base}${requestTarget(operation.path, request)}`, {
      method: operation.method,
      headers,
      ...(request.body !== undefined && { body: writeJson(request.body) }),
      ...(declaresRedirection(operation) && { redirect: 'manual' }),
      ...(signal && { signal }),
    });
    const { ok, status } = response;
    return { ok, status, body: await readBody(operation, response), headers: response.headers, response };
  };
  const methods = Object.entries(operations).map(([id, operation]) => [id, call.bind(undefined, operation)]);
  // The generated types describe the generated operations.
  return Object.fromEntries(methods) as Client;
}

/** Fetch would follow it, and the caller would never see it. */
const declaresRedirection = ({ responses }: OperationCall): boolean =>
  ['301', '302', '303', '307', '308'].some((status) => Object.hasOwn(responses, status));

async function readBody({ responses }: OperationCall, response: Response): Promise<unknown> {
  const text = await response.text();
  const places = responses[response.status];
  if (response.type === 'opaqueredirect')
    throw new UnexpectedResponse(response, text, 'is a redirection that the browser hides');
  if (places === undefined) throw new UnexpectedResponse(response, text, 'is not a status that the contract declares');
  if (places === null) return undefined;
  const type = response.headers.get('content-type') ?? 'no media type';
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new UnexpectedResponse(response, text, `came with ${type}, not JSON`);
  try {
    return readJson(text, places);
  } catch (cause) {
    throw new UnexpectedResponse(response, text, 'came with invalid JSON', { cause });
  }
}
