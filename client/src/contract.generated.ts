// Written by `npm run contract:client` from openapi.yaml: change that, and run it again.
import type { OperationCall } from './operation-call.js';

/** The schemas of the contract, as in responses. */
export interface Schemas {
  /** Availability of the animal. */
  PetStatus: 'available' | 'pending' | 'sold';
  /** An animal to add. */
  NewPet: {
    /** The animal's name. Any Unicode text without NUL. */
    name: string;
    /** Identifier of the category the animal belongs to. */
    categoryId: bigint;
    status?: Schemas['PetStatus'];
  };
  /** An animal of the store. */
  Pet: {
    /** Unique identifier assigned by the service on creation. */
    id: bigint;
  } & Schemas['NewPet'];
  /** A page of animals in ascending order of `id`. */
  Pets: Array<Schemas['Pet']>;
  /** The body of every error response. */
  Error: {
    /** Machine-readable error code. */
    code: string;
    /** Human-readable description. */
    message: string;
    /** The HTTP status code of the response. */
    status: number | bigint;
  };
}

/** The operations of the contract, by operationId. Headers are the names that a response declares. */
export interface Operations {
  /**
   * List animals
   *
   * Returns a paginated list of animals in ascending order of `id`.
   *
   * While more animals exist, the response has a `Link` header with `rel="next"`, the URL of the next page.
   * Undeclared query parameters are ignored.
   */
  listPets: {
    request: {
      query?: {
        /**
         * Maximum number of animals returned.
         *
         * @default 20
         */
        limit?: number;
        /** Filters by availability. An animal without a status matches no filter. */
        status?: Schemas['PetStatus'];
        /** Start of the page; opaque, taken from the `Link` header of the previous page. */
        cursor?: string;
      };
    };
    responses: {
      200: { body: Schemas['Pets']; headers: 'Link' | 'RateLimit' | 'RateLimit-Policy' | 'X-Request-Id' };
      400: { body: Schemas['Error']; headers: 'X-Request-Id' };
      401: { body: Schemas['Error']; headers: 'WWW-Authenticate' | 'X-Request-Id' };
      429: { body: Schemas['Error']; headers: 'Retry-After' | 'RateLimit' | 'RateLimit-Policy' | 'X-Request-Id' };
      500: { body: Schemas['Error']; headers: 'X-Request-Id' };
      503: { body: Schemas['Error']; headers: 'Retry-After' | 'X-Request-Id' };
    };
  };
  /**
   * Add an animal
   *
   * Adds an animal. The response is sent after the animal is stored durably.
   *
   * Undeclared members, including `id`, are ignored. An animal created without a `status` is returned without one.
   *
   * With an `Idempotency-Key`, a request can be repeated until it is answered: one animal is added, and every
   * repetition within 24 hours gets the first response.
   */
  createPet: {
    request: {
      header?: {
        /**
         * Chosen by the caller for one request and its repetitions, such as `"8e03978e-40d5-43dd-bc93-6894a57f9324"`: a quoted
         * string (RFC 9651), or the same text without quotes. Kept for 24 hours for each API key.
         */
        'Idempotency-Key'?: string;
      };
      body: Schemas['NewPet'];
    };
    responses: {
      201: { body: Schemas['Pet']; headers: 'Location' | 'RateLimit' | 'RateLimit-Policy' | 'X-Request-Id' };
      400: { body: Schemas['Error']; headers: 'X-Request-Id' };
      401: { body: Schemas['Error']; headers: 'WWW-Authenticate' | 'X-Request-Id' };
      403: { body: Schemas['Error']; headers: 'WWW-Authenticate' | 'X-Request-Id' };
      409: { body: Schemas['Error']; headers: 'Retry-After' | 'X-Request-Id' };
      413: { body: Schemas['Error']; headers: 'X-Request-Id' };
      415: { body: Schemas['Error']; headers: 'X-Request-Id' };
      422: { body: Schemas['Error']; headers: 'X-Request-Id' };
      429: { body: Schemas['Error']; headers: 'Retry-After' | 'RateLimit' | 'RateLimit-Policy' | 'X-Request-Id' };
      500: { body: Schemas['Error']; headers: 'X-Request-Id' };
      503: { body: Schemas['Error']; headers: 'Retry-After' | 'X-Request-Id' };
    };
  };
  /**
   * Fetch one animal
   *
   * Returns one animal. To be removed on 5 December 2030; use `GET /pets` with the `status` filter instead.
   *
   * @deprecated
   */
  getPet: {
    request: {
      path: {
        /** Identifier of the animal to retrieve. */
        petId: bigint;
      };
    };
    responses: {
      200: {
        body: Schemas['Pet'];
        headers: 'Deprecation' | 'Sunset' | 'Link' | 'RateLimit' | 'RateLimit-Policy' | 'X-Request-Id';
      };
      401: { body: Schemas['Error']; headers: 'WWW-Authenticate' | 'Deprecation' | 'Sunset' | 'Link' | 'X-Request-Id' };
      404: { body: Schemas['Error']; headers: 'Deprecation' | 'Sunset' | 'Link' | 'X-Request-Id' };
      429: {
        body: Schemas['Error'];
        headers: 'Retry-After' | 'RateLimit' | 'RateLimit-Policy' | 'Deprecation' | 'Sunset' | 'Link' | 'X-Request-Id';
      };
      500: { body: Schemas['Error']; headers: 'Deprecation' | 'Sunset' | 'Link' | 'X-Request-Id' };
      503: { body: Schemas['Error']; headers: 'Retry-After' | 'Deprecation' | 'Sunset' | 'Link' | 'X-Request-Id' };
    };
  };
}

export const operations: { readonly [Id in keyof Operations]: OperationCall } = {
  listPets: {
    method: 'GET',
    path: '/pets',
    sendsKey: true,
    responses: {
      '200': { items: { members: { id: 'int64', categoryId: 'int64' } } },
      '400': {},
      '401': {},
      '429': {},
      '500': {},
      '503': {},
    },
  },
  createPet: {
    method: 'POST',
    path: '/pets',
    sendsKey: true,
    responses: {
      '201': { members: { id: 'int64', categoryId: 'int64' } },
      '400': {},
      '401': {},
      '403': {},
      '409': {},
      '413': {},
      '415': {},
      '422': {},
      '429': {},
      '500': {},
      '503': {},
    },
  },
  getPet: {
    method: 'GET',
    path: '/pets/{petId}',
    sendsKey: true,
    responses: {
      '200': { members: { id: 'int64', categoryId: 'int64' } },
      '401': {},
      '404': {},
      '429': {},
      '500': {},
      '503': {},
    },
  },
};
