import { operations, type Operations } from './contract.generated.js';
import { readJson, writeJson } from './exact-json.js';
import type { NumberPlaces, OperationCall, OtherMedia } from './operation-call.js';
import { cookieText, headerText, type Scalar } from './parameter-text.js';
import { type Parameters, requestTarget } from './request-target.js';

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
  readonly header?: { readonly [name: string]: Scalar | readonly Scalar[] | undefined };
  readonly cookie?: { readonly [name: string]: Scalar | undefined };
  readonly body?: unknown;
}

export function createClient({ baseUrl, key, fetch: send = fetch }: ClientOptions): Client {
  const base = baseUrl.replace(/\/+$/, '');
  const call = async (operation: OperationCall, request: AnyRequest = {}, { signal }: CallOptions = {}) => {
    const headers: Record<string, string> = { accept: acceptedBy(operation) };
    if (operation.sendsKey) headers.authorization = `Bearer ${key}`;
    if (request.body !== undefined) headers['content-type'] = 'application/json';
    for (const [name, value] of Object.entries(request.header ?? {}))
      if (value !== undefined) headers[name] = headerText(name, value);
    const cookies = cookieText(request.cookie ?? {});
    if (cookies !== '') headers.cookie = cookies;
    const response = await send(`${base}${requestTarget(operation.path, request, operation.styles)}`, {
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

/** Errors are always JSON. */
function acceptedBy({ responses }: OperationCall): string {
  const others = Object.values(responses).flatMap((declared) => (isOther(declared) ? declared.media : []));
  return [...new Set([...others, 'application/json'])].join(', ');
}

function isOther(declared: NumberPlaces | OtherMedia | null): declared is OtherMedia {
  return typeof declared === 'object' && declared !== null && 'media' in declared;
}

async function readBody({ responses }: OperationCall, response: Response): Promise<unknown> {
  const declared = responses[response.status];
  const media = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? 'no media type';
  if (declared && isOther(declared) && declared.as === 'stream' && media === declared.media.toLowerCase())
    return response.body;
  const text = await response.text();
  if (response.type === 'opaqueredirect')
    throw new UnexpectedResponse(response, text, 'is a redirection that the browser hides');
  if (declared === undefined)
    throw new UnexpectedResponse(response, text, 'is not a status that the contract declares');
  if (declared === null) return undefined;
  const expected = isOther(declared) ? declared.media : 'application/json';
  if (media !== expected.toLowerCase()) {
    const shown = isOther(declared) ? expected : 'JSON';
    throw new UnexpectedResponse(response, text, `came with ${media}, not ${shown}`);
  }
  if (isOther(declared)) return text;
  try {
    return readJson(text, declared);
  } catch (cause) {
    throw new UnexpectedResponse(response, text, 'came with invalid JSON', { cause });
  }
}
