/** What the service promises, as read from openapi.yaml. Knows no HTTP server and no resource by name. */
export interface Contract {
  /** The file as it is, for those who ask for it. */
  readonly bytes: Buffer;
  readonly document: object;
  /** The path of the first server: `/v1`. */
  readonly basePath: string;
  readonly operations: readonly Operation[];
}

export interface Operation {
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  /** The whole path with parameters in braces: `/v1/things/{thingId}`. */
  readonly path: string;
  readonly isSecured: boolean;
  readonly requestBody?: RequestBody;
  readonly responses: Responses;
  readonly deprecation?: Deprecation;
}

export interface RequestBody {
  readonly isRequired: boolean;
  readonly mediaTypes: readonly string[];
}

/** How each declared status is answered. */
export type Responses = ReadonlyMap<number, DeclaredResponse>;

export interface DeclaredResponse {
  readonly hasBody: boolean;
  /** Writes the body as JSON text: exact integers, declared members only. Absent where the body is not JSON. */
  readonly serialise?: Serialiser;
}

/** Throws when a required member is missing. */
export type Serialiser = (body: unknown) => string;

export interface Deprecation {
  /** Start of the day, UTC. */
  readonly deprecatedAt: Date;
  readonly sunset: Date;
  /** The path of the operation to use instead. */
  readonly successor?: string;
  /** Where the deprecation is documented. */
  readonly documentation?: string;
}
