import { describe, expect, it } from '@jest/globals';

interface Check {
  readonly what: string;
  readonly otherwise?: string;
  readonly run: () => Promise<string[] | undefined>;
}

const FOLDER = new URL('../../../tools/verify/', import.meta.url).href;
const { readOperations } = (await import(`${FOLDER}contract.mjs`)) as {
  readonly readOperations: (text: string, name: string) => object[];
};
const { repetitionChecks } = (await import(`${FOLDER}repetition-checks.mjs`)) as {
  readonly repetitionChecks: (operations: object[], instance: object) => Check[];
};
const { derivedChecks } = (await import(`${FOLDER}derived-checks.mjs`)) as {
  readonly derivedChecks: (operations: object[], instance: object, keys: { key: string }) => Check[];
};

const NAME = 'verify 0123abcd';

/** An operation with an `Idempotency-Key`. `name` is the schema of a member of its body. */
const contractWith = (name: string, method = 'post', required = '[size, name]') => `
openapi: 3.0.3
paths:
  /clinics:
    ${method}:
      operationId: createClinic
      parameters:
        - {name: Idempotency-Key, in: header, schema: {type: string, pattern: '^[a-z0-9-]+$'}}
        - {name: draft, in: query, schema: {type: boolean, enum: [true]}}
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: ${required}
              properties: {size: {type: integer}, name: ${name}, note: {type: string}}
            example: {size: 7, name: b, note: c}
      responses: {201: {description: d}, 400: {description: d}, 413: {description: d}, 415: {description: d}}
`;

/** An instance that accepts whatever it is sent, and the bodies of these requests. */
function acceptingInstance() {
  const bodies: string[] = [];
  const call = (method: string, _path: string, { body = '' }: { body?: string }) => {
    bodies.push(body);
    return Promise.resolve({ method, status: 201, text: '', headers: new Headers() });
  };
  return { bodies, call };
}

const LEFT_OUT = 'createClinic with a repeated Idempotency-Key';

describe('npm run verify, with an operation that creates', () => {
  it('repeats requests whose name says where they come from, all of which have it', async () => {
    for (const required of ['[size, name]', '[size]']) {
      const instance = acceptingInstance();
      const checks = repetitionChecks(readOperations(contractWith('{type: string}', 'post', required), NAME), instance);
      for (const { run } of checks) await run();
      const named = `{"size":7,"name":"${NAME}"`;
      expect(new Set(instance.bodies)).toEqual(
        new Set([`${named},"note":"c"}`, `${named}}`, '{', `{"name":"${NAME}","note":"c"}`]),
      );
    }
  });

  it.each([
    '{type: integer}',
    '{type: string, enum: [b]}',
    '{type: string, maxLength: 5}',
    "{type: string, pattern: '^[a-z]$'}",
    '{type: string, format: hostname}',
    '{type: string, readOnly: true}',
  ])('repeats no request whose name cannot say so, and says why: %s', (name) => {
    const checks = repetitionChecks(readOperations(contractWith(name), NAME), {});
    expect(checks.map(({ otherwise }) => otherwise)).toEqual([
      `${LEFT_OUT} (its body has no name that could say where it comes from)`,
    ]);
  });

  it('repeats no request that may change what exists', () => {
    const checks = repetitionChecks(readOperations(contractWith('{type: string}', 'put'), NAME), {});
    expect(checks.map(({ otherwise }) => otherwise)).toEqual([`${LEFT_OUT} (it may change what exists)`]);
  });

  it('sends no valid body without such a name where the instance must refuse the request', async () => {
    const instance = acceptingInstance();
    const checks = derivedChecks(readOperations(contractWith('{type: string, enum: [b]}'), NAME), instance, {
      key: 'pets_a-key-of-the-test',
    });
    const sent: Record<string, string> = {};
    for (const { what, run } of checks) {
      await run();
      sent[what] = instance.bodies.at(-1)!.trim();
    }
    const noSize = '{"name":"b","note":"c"}';
    expect(sent).toEqual({
      'without a key': noSize,
      'with a wrong key': noSize,
      'with another key of the same form': noSize,
      'with a character after the key': noSize,
      'with the key in other capitals': noSize,
      'with half of the key': noSize,
      'with the key as Basic': noSize,
      'without a key, with a wrong query': noSize,
      'without a key, with a wrong body': '{"',
      'Idempotency-Key: "~", against the pattern': noSize,
      'Idempotency-Key: "a b", against the pattern': noSize,
      'Idempotency-Key: "\\"", against the pattern': noSize,
      'draft: an unknown value': noSize,
      'draft: empty': noSize,
      'draft: repeated': noSize,
      'without size': '{"note":"c","name":7}',
      'without name': '{"note":"c","size":"7"}',
      'size: the wrong type': '{"note":"c","name":7,"size":"7"}',
      'size: null': '{"note":"c","name":7,"size":null}',
      'size: no integer': '{"note":"c","name":7,"size":1.5}',
      'name: the wrong type': '{"note":"c","size":"7","name":7}',
      'name: null': '{"note":"c","size":"7","name":null}',
      'name: an unknown value': '{"note":"c","size":"7","name":"none-of-them"}',
      'name: a value in capitals': '{"note":"c","size":"7","name":"B"}',
      'note: the wrong type': '{"name":"b","size":"7","note":7}',
      'note: null': '{"name":"b","size":"7","note":null}',
      'text that is not JSON': '{"',
      'JSON with a comma too many': '{"name":"b","note":"c",}',
      'null instead of an object': 'null',
      'a list with the object': `[${noSize}]`,
      'no body': '',
      'a body of another type': noSize,
      'a body without a type': noSize,
      'a body of 1.1 MB, unless BODY_LIMIT allows it': '{}',
    });
  });

  it('requires that an error names the parameter or member that is wrong, where the body is wrong as well', async () => {
    const message = 'name is required';
    const call = (method: string) => {
      const json = { code: 'BAD_REQUEST', message, status: 400 };
      return Promise.resolve({ method, status: 400, text: '', json, headers: new Headers() });
    };
    const checks = derivedChecks(
      readOperations(contractWith('{type: integer}'), NAME),
      { call },
      { key: 'pets_a-key' },
    );
    const reported = async (named: string) =>
      (await checks.find(({ what }) => what === named)!.run())!.filter((each) => each.startsWith('the message'));
    expect(await reported('Idempotency-Key: "~", against the pattern')).toEqual([
      'the message does not name Idempotency-Key',
    ]);
    expect(await reported('draft: empty')).toEqual(['the message does not name draft']);
    expect(await reported('size: null')).toEqual(['the message does not name size']);
    expect(await reported('name: null')).toEqual([]);
  });
});
