import { describe, expect, it } from '@jest/globals';

interface Operation {
  readonly body: object;
  readonly responses: Map<number, { readonly validate: (value: unknown) => boolean; readonly members: string[] }>;
}

interface Check {
  readonly what: string;
  readonly otherwise?: string;
  readonly run: () => Promise<string[]>;
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

const FOLDER = new URL('../../../tools/verify/', import.meta.url).href;
const { readOperations } = (await import(`${FOLDER}contract.mjs`)) as {
  readonly readOperations: (text: string, name?: string) => Operation[];
};
const { repetitionChecks } = (await import(`${FOLDER}repetition-checks.mjs`)) as {
  readonly repetitionChecks: (operations: Operation[], instance: object) => Check[];
};
const { derivedChecks } = (await import(`${FOLDER}derived-checks.mjs`)) as {
  readonly derivedChecks: (operations: Operation[], instance: object, keys: { key: string }) => Check[];
};

/** What other operation groups have, and pets do not. */
const CONTRACT = `
openapi: 3.0.3
paths:
  /orders/{orderId}:
    parameters:
      - {name: orderId, in: path, required: true, schema: {$ref: '#/components/schemas/Id'}}
      - {name: X-Shop, in: header, required: true, schema: {type: string}, example: north}
    patch:
      operationId: changeOrder
      parameters:
        - {name: confirm, in: query, required: true, schema: {type: boolean, enum: [true]}}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Order'}
            example: {size: 7, extras: [{count: 9223372036854775807, label: null}]}
      responses:
        200: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
        400: {description: d}
        404: {description: d}
components:
  schemas:
    Id: {type: integer, format: int64, minimum: 1, maximum: 9223372036854775807}
    Size: {type: integer, minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false}
    Order:
      type: object
      required: [id, size]
      properties:
        id: {type: integer, readOnly: true}
        size: {allOf: [{$ref: '#/components/schemas/Size'}], description: d}
        note: {oneOf: [{type: string}, {type: integer}]}
        extras: {type: array, items: {type: object}}
`;

async function sentFor(what: string | RegExp): Promise<Sent[]> {
  const sent: Sent[] = [];
  const instance = {
    call: (method: string, path: string, options: object) => {
      sent.push({ method, path, ...options });
      return Promise.resolve({ method, status: 0, text: '', headers: new Headers() });
    },
  };
  for (const check of derivedChecks(readOperations(CONTRACT), instance, { key: 'pets_a-key-of-the-test' }))
    if (typeof what === 'string' ? check.what === what : what.test(check.what)) await check.run();
  return sent;
}

const PATH = '/orders/9223372036854775807?confirm=true';

describe('npm run verify, with the contract of another operation group', () => {
  it('sends nested integers, and the parameters of the path and the required ones, to a resource that does not exist', async () => {
    const body = '{"size":7,"extras":[{"count":9223372036854775807,"label":null}]}';
    expect(await sentFor('without a key')).toMatchObject([
      { method: 'PATCH', path: PATH, body, headers: { 'X-Shop': 'north' } },
    ]);
  });

  it('breaks the parameters of the path', async () => {
    expect(await sentFor(/^orderId: /)).toMatchObject([
      { path: '/orders/9223372036854775807?confirm=true' },
      { path: '/orders/1.5?confirm=true' },
      { path: '/orders/abc?confirm=true' },
      { path: '/orders/01?confirm=true' },
      { path: '/orders/1e1?confirm=true' },
      { path: '/orders/%2B1?confirm=true' },
      { path: '/orders/1%20?confirm=true' },
      { path: '/orders/0?confirm=true' },
      { path: '/orders/9223372036854775808?confirm=true' },
    ]);
  });

  it('breaks members whose type is in allOf, but not readOnly ones, nor those of several types', async () => {
    const sent = await sentFor(/^(size|id|note)|^without (?!a key,)/);
    expect(sent.filter(({ path }) => path === PATH).map(({ body }) => body?.replace(/"extras":.*\}\],?/, ''))).toEqual([
      expect.stringContaining('"size":7'),
      '{}',
      '{"size":"7"}',
      '{"size":null}',
      '{"size":1.5}',
      '{"size":-1}',
      '{"size":10}',
    ]);
  });

  it('checks only the keys when no valid value of a required header or query parameter is known', () => {
    const of = (place: string, schema: string) => {
      const text = CONTRACT.replace(
        'in: header, required: true, schema: {type: string}, example: north',
        () => `in: ${place}, required: true, schema: ${schema}`,
      );
      const checks = derivedChecks(readOperations(text), {}, { key: 'pets_a-key-of-the-test' });
      return checks.flatMap(({ otherwise = [] }) => otherwise);
    };
    const unknown = (place: string) => [`changeOrder beyond its keys (its ${place} parameter X-Shop has no example)`];
    for (const schema of [
      "{type: string, pattern: '^[A-Z]{2}$'}",
      '{type: string, format: uuid}',
      '{type: string, minLength: 2}',
      '{type: boolean}',
      '{type: array, items: {type: string}}',
      '{type: integer, maximum: 0}',
    ]) {
      expect(of('header', schema)).toEqual(unknown('header'));
      expect(of('query', schema)).toEqual(unknown('query'));
    }
    for (const schema of [
      '{type: string}',
      "{type: string, pattern: '^[A-Z]{2}$', example: AB}",
      '{type: string, format: uuid, enum: [a]}',
      '{type: integer}',
      '{type: number, minimum: 2.5}',
    ])
      expect(of('header', schema)).toEqual([]);
  });

  it('repeats no request of an operation with a parameter of the path, or without a body, and says so', () => {
    const key = '{name: Idempotency-Key, in: header, schema: {type: string}}';
    const text = CONTRACT.replace('      parameters:\n', `$&        - ${key}\n`).replace(
      'components:',
      `  /renewals: {post: {operationId: renew, parameters: [${key}], responses: {201: {description: d}}}}\n$&`,
    );
    expect(repetitionChecks(readOperations(text), {}).map(({ otherwise }) => otherwise)).toEqual([
      'changeOrder with a repeated Idempotency-Key (its path has a parameter)',
      'renew with a repeated Idempotency-Key (it has no body)',
    ]);
    expect(repetitionChecks(readOperations(CONTRACT), {})).toEqual([]);
  });

  it('follows references that lead to others, and any number of aliases', () => {
    const text = `
openapi: 3.0.3
paths:
  /orders:
    post:
      requestBody: {$ref: '#/components/requestBodies/First'}
      responses:
        201: {$ref: '#/components/responses/First'}
${Array.from({ length: 150 }, (_, at) => `        ${at + 400}: ${at === 0 ? '&failed {description: d}' : '*failed'}\n`).join('')}
components:
  requestBodies:
    First: {$ref: '#/components/requestBodies/Last'}
    Last: {content: {application/json: {schema: {$ref: '#/components/schemas/First'}}}}
  responses:
    First: {$ref: '#/components/responses/Last'}
    Last: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/First'}}}}
  schemas:
    First: {$ref: '#/components/schemas/Last'}
    Last: {type: object, required: [size], properties: {size: {type: integer}}}
`;
    const [operation] = readOperations(text);
    const { validate, members } = operation!.responses.get(201)!;
    expect({
      body: operation!.body,
      members,
      valid: [{ size: 1 }, {}].map(validate),
      statuses: operation!.responses.size,
    }).toEqual({
      body: {
        schema: { required: ['size'], properties: { size: { type: 'integer' } } },
        example: undefined,
        isNamed: false,
        isRequired: false,
        isObject: true,
        isOpen: true,
      },
      members: ['size'],
      valid: [true, false],
      statuses: 151,
    });
  });

  it('compares responses with the exclusive bounds of OpenAPI 3.0', () => {
    const { validate } = readOperations(CONTRACT)[0]!.responses.get(200)!;
    expect([0, 1, 9, 10].map((size) => validate({ id: 1, size }))).toEqual([false, true, true, false]);
  });

  it('expects no writeOnly member in a response, even if it is required', () => {
    const secret = CONTRACT.replace('required: [id, size]', 'required: [id, size, pin]').replace(
      'properties:\n',
      '$&        pin: {type: string, writeOnly: true}\n',
    );
    const { validate } = readOperations(secret)[0]!.responses.get(200)!;
    expect([{ id: 1, size: 1 }, { size: 1 }].map(validate)).toEqual([true, false]);
  });
});
