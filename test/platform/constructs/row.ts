import { json, type Part, postOf } from './base-contract.js';

/** A request to the application that starts with the contract of a row, and what must come back. */
export interface Probe {
  /** `GET` asks for `/things/{thingId}`, anything else adds a thing. */
  readonly method?: 'GET' | 'POST';
  /** After `/things`: a path or a query. */
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** What the handler returns, or the error that it throws. */
  readonly answer?: unknown;
  /** Headers that the handler sets. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  readonly status: number;
  /** Of the Error body. */
  readonly message?: string;
  /** What the handler sees, in part. */
  readonly seen?: object;
  /** The body of the response. */
  readonly text?: string;
  /** Headers of the response, among others. */
  readonly responseHeaders?: Readonly<Record<string, string | null>>;
}

/** A construct of OpenAPI: a row of docs/contract.md. */
export interface Row {
  readonly construct: string;
  /** Default: `3.0.3`. */
  readonly version?: string;
  /** Adds the construct to the contract. */
  readonly edit: (contract: Part) => void;
  /** How it is honoured, or the reason with which the start fails. */
  readonly note: string;
  readonly isRefused?: boolean;
  readonly probes: readonly Probe[];
}

type Edit = Row['edit'];

export function refused(construct: string, edit: Edit, note: string, version?: string): Row {
  return { construct, edit, note, isRefused: true, probes: [], ...(version && { version }) };
}

export function honoured(construct: string, edit: Edit, note: string, probes: readonly Probe[], version?: string): Row {
  return { construct, edit, note, probes, ...(version && { version }) };
}

/** Says something to people only: the service starts and serves. */
export function documentation(construct: string, edit: Edit, version?: string): Row {
  return honoured(construct, edit, 'documentation', [{ status: 201, body: {}, answer: {} }], version);
}

/** The schema of the member `value` in the body of a request and of its response. */
export function valueSchema(schema: object): Edit {
  return (contract) => {
    const body = json({ type: 'object', properties: { value: schema } });
    postOf(contract).requestBody.content = body;
    postOf(contract).responses[201].content = body;
  };
}

/** Values that match a schema, and values that do not, each with the sentence about it. */
export interface Values {
  readonly good: readonly unknown[];
  readonly bad: readonly (readonly [value: unknown, demand: string])[];
}

/** Values are sent in a request, and returned in a response. */
export function schemaRow(
  construct: string,
  schema: object,
  note: string,
  { good, bad }: Values,
  version?: string,
): Row {
  const probes = [
    ...good.map((value): Probe => ({ status: 201, body: { value }, answer: { value } })),
    ...bad.map(([value, demand]): Probe => ({ status: 400, body: { value }, message: `value ${demand}` })),
    ...bad.map(([value]): Probe => ({ status: 500, body: {}, answer: { value } })),
  ];
  return honoured(construct, valueSchema(schema), note, probes, version);
}

export function refusedSchema(construct: string, schema: object, note: string, version?: string): Row {
  return refused(construct, valueSchema(schema), note, version);
}
