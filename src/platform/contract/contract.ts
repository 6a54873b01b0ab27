import type { DeclaredFields } from './requests/declared-fields.js';
import type { RequestCheck } from './requests/request-check.js';
import type { Responses } from './responses/declared-response.js';

/** The operations of openapi.yaml. Independent of the HTTP server and of any resource. */
export interface Contract {
  /** The unchanged file, served at /openapi.yaml. */
  readonly bytes: Buffer;
  readonly document: object;
  /** The path of the first server: `/v1`. */
  readonly basePath: string;
  /** Where an operation is to be declared: `openapi.yaml:12:1` */
  readonly pathsPosition: string;
  readonly operations: readonly Operation[];
  /** The responses to requests without an operation. */
  readonly protocolResponses: Responses;
  /** The declared security schemes. */
  readonly schemes: readonly SecurityScheme[];
}

export interface Operation {
  readonly id: string;
  /** `openapi.yaml:12:3` */
  readonly position: string;
  /** In upper case. */
  readonly method: string;
  /** The full path with parameters in braces: `/v1/things/{thingId}`. */
  readonly path: string;
  /** The security scheme that a request must satisfy; absent for a public operation. */
  readonly scheme?: string;
  readonly requestBody?: RequestBody;
  readonly bodyFields: DeclaredFields;
  readonly queryFields: DeclaredFields;
  readonly pathFields: DeclaredFields;
  readonly headerFields: DeclaredFields;
  readonly cookieFields: DeclaredFields;
  /** The media types among which a request chooses by `Accept`, the default first; absent where it has no choice. */
  readonly mediaTypes?: readonly string[];
  readonly check: RequestCheck;
  /** Whether retries of a request are recognised by their Idempotency-Key. */
  readonly takesIdempotencyKey: boolean;
  readonly responses: Responses;
  readonly deprecation?: Deprecation;
}

export interface SecurityScheme {
  readonly name: string;
  /** `openapi.yaml:12:3` */
  readonly position: string;
}

export interface RequestBody {
  readonly isRequired: boolean;
  readonly mediaTypes: readonly string[];
}

export interface Deprecation {
  /** At the start of the day, UTC. */
  readonly deprecatedAt: Date;
  readonly sunset: Date;
  /** The path of the operation to use instead. */
  readonly successor?: string;
  /** Where the deprecation is documented. */
  readonly documentation?: string;
}
