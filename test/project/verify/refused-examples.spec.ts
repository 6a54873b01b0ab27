import { describe, expect, it } from '@jest/globals';

interface Response {
  readonly method: string;
  readonly status: number;
  readonly text: string;
  readonly json: object;
  readonly headers: Headers;
}

interface Check {
  readonly what: string;
  readonly otherwise?: string;
  readonly run: () => Promise<string[] | undefined>;
}

interface Options {
  readonly body: string;
  readonly headers: Record<string, string>;
}

const FOLDER = new URL('../../../tools/verify/', import.meta.url).href;
const { readOperations } = (await import(`${FOLDER}contract.mjs`)) as {
  readonly readOperations: (text: string, name: string) => object[];
};
const { repetitionChecks } = (await import(`${FOLDER}repetition-checks.mjs`)) as {
  readonly repetitionChecks: (operations: object[], instance: object) => Check[];
};

const examplesOf = (...codes: string[]): string =>
  `{application/json: {examples: {${codes.map((code) => `${code}: {value: {code: ${code}}}`).join(', ')}}}}`;

/** A clinic has a unique code, and a name that says where it comes from. */
const CONTRACT = `
openapi: 3.0.3
paths:
  /clinics:
    post:
      operationId: createClinic
      parameters: [{name: Idempotency-Key, in: header, schema: {type: string}}]
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [code]
              properties: {code: {type: string}, name: {type: string}, note: {type: string}}
            example: {code: a, note: b}
      responses:
        201: {description: d}
        400: {description: d}
        409: {description: d, content: ${examplesOf('CLINIC_EXISTS', 'REQUEST_IN_PROGRESS')}}
        422: {description: d, content: ${examplesOf('IDEMPOTENCY_KEY_REUSED')}}
`;

const responseOf = (status: number, code: string): Response => {
  const json = { code, message: 'm', status };
  return { method: 'POST', status, text: JSON.stringify(json), json, headers: new Headers() };
};

/** An instance that creates a clinic once, and then refuses it with 409 and a code. */
function instanceOf(code: string, isCreated: boolean) {
  const kept = new Map<string, { readonly body: string; readonly response: Response }>();
  let exists = isCreated;
  const respond = ({ body, headers }: Options): Response => {
    if (!body.includes('"code":"a"')) return responseOf(400, 'BAD_REQUEST');
    const key = headers['Idempotency-Key']!;
    const first = kept.get(key);
    if (first) return first.body === body ? first.response : responseOf(422, 'IDEMPOTENCY_KEY_REUSED');
    if (exists) return responseOf(409, code);
    exists = true;
    kept.set(key, { body, response: responseOf(201, '') });
    return kept.get(key)!.response;
  };
  return { call: (_method: string, _path: string, options: Options) => Promise.resolve(respond(options)) };
}

/** What each check reports, or `otherwise` where it ends without a result. */
async function resultsOf(instance: object): Promise<(string[] | string | undefined)[]> {
  const results = [];
  for (const { run, otherwise } of repetitionChecks(readOperations(CONTRACT, 'verify 1'), instance))
    results.push((await run()) ?? otherwise);
  return results;
}

const FIRST = 'createClinic, a repeated Idempotency-Key gets the first response, and adds nothing (';
const OTHER = 'createClinic, an Idempotency-Key with another body (';
const LONG = 'createClinic, an Idempotency-Key of 255 characters (';
const LAST = 'createClinic, an Idempotency-Key with another last character is another one (';
const CAPITALS = 'createClinic, an Idempotency-Key in other capitals is another one (';
const REFUSED = 'createClinic, a refused request does not use up its Idempotency-Key (';
const AT_ONCE = 'createClinic, 5 requests at once with one Idempotency-Key (';
const named = (...checks: string[]) => checks.map((check) => `${check}its example gets 409 or 422)`);

describe('the repetition checks of npm run verify, when the instance refuses a second resource like the example', () => {
  it('do not report a declared 409, but name the checks that it prevents', async () => {
    expect(await resultsOf(instanceOf('CLINIC_EXISTS', false))).toEqual([
      [],
      [],
      ...named(LONG, LAST, CAPITALS, REFUSED, AT_ONCE),
      undefined,
    ]);
    expect(await resultsOf(instanceOf('CLINIC_EXISTS', true))).toEqual([
      ...named(FIRST, OTHER, LONG, LAST, CAPITALS, REFUSED, AT_ONCE),
      undefined,
    ]);
  });

  it.each(['REQUEST_IN_PROGRESS', 'UNDECLARED'])('report a 409 with the code %s', async (code) => {
    const results = await resultsOf(instanceOf(code, false));
    expect(results.slice(0, 7)).toEqual([
      [],
      [],
      ['status 409 instead of 201'],
      ['status 409 instead of 201'],
      ['status 409 instead of 201'],
      ['status 409 instead of 201'],
      ['status 409 for all of them instead of 201 for one'],
    ]);
  });
});
