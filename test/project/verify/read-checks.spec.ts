import { describe, expect, it } from '@jest/globals';

interface Check {
  readonly operation: string;
  readonly what: string;
  readonly otherwise?: string;
  readonly run: () => Promise<string[] | undefined>;
}

const FOLDER = new URL('../../../tools/verify/', import.meta.url).href;
const { readOperations } = (await import(`${FOLDER}contract.mjs`)) as {
  readonly readOperations: (text: string) => object[];
};
const { readChecks } = (await import(`${FOLDER}read-checks.mjs`)) as {
  readonly readChecks: (operations: object[], instance: object) => Check[];
};
const { exactJson } = (await import(`${FOLDER}exact-json.mjs`)) as { readonly exactJson: (text: string) => unknown };

const json = (schema: string) => `{description: d, content: {application/json: {schema: ${schema}}}}`;
const ORDER = '{type: object, required: [id], properties: {id: {type: integer}}}';
const id = (name: string) => `{name: ${name}, in: path, required: true, schema: {type: integer}}`;
const SHOP = '{name: shop, in: query, required: true, schema: {type: string}, example: north}';

/** What another group reads. */
const CONTRACT = `
openapi: 3.0.3
paths:
  /orders:
    get: {operationId: listOrders, parameters: [${SHOP}], responses: {200: ${json(`{type: array, items: ${ORDER}}`)}}}
    post: {operationId: createOrder, responses: {201: ${json(ORDER)}}}
  /orders/{orderId}:
    get: {operationId: getOrder, parameters: [${id('orderId')}], responses: {200: ${json(ORDER)}, 404: {description: d}}}
  /orders/{orderId}/notes:
    get: {operationId: listNotes, parameters: [${id('orderId')}, ${SHOP}], responses: {200: ${json('{type: array}')}}}
  /orders/{orderId}/notes/{noteId}:
    get: {operationId: getNote, parameters: [${id('orderId')}, ${id('noteId')}], responses: {200: ${json('{}')}}}
  /clinics/{clinicId}:
    get: {operationId: getClinic, parameters: [${id('clinicId')}], responses: {200: ${json('{}')}}}
  /events:
    get: {operationId: streamEvents, responses: {200: {description: d, content: {text/event-stream: {}}}}}
`;

/** What each check reports, or what takes its place, and which paths were called. */
async function resultsWith(answer: (path: string, count: number) => [status: number, body: string]) {
  const paths: string[] = [];
  const call = (method: string, path: string) => {
    paths.push(path);
    const [status, text] = answer(path, paths.length);
    const headers = new Headers({ 'content-type': 'application/json' });
    const response = { method, path, status, headers, text, json: JSON.parse(text) as unknown, exact: exactJson(text) };
    return Promise.resolve(response);
  };
  const results: Record<string, unknown> = {};
  for (const { operation, run, otherwise } of readChecks(readOperations(CONTRACT), { call }))
    results[operation] = (await run()) ?? otherwise;
  return { paths, results };
}

const LEFT_OUT = {
  getNote: 'getNote with success (its path has several parameters)',
  getClinic: 'getClinic with success (no list is known that has its ids)',
  streamEvents: 'streamEvents with success (its success is not JSON)',
};

describe('npm run verify, with operations of another group that read', () => {
  it('calls each of them with success, by an id of the list, digit for digit', async () => {
    const { paths, results } = await resultsWith((path) =>
      path.startsWith('/orders?')
        ? [200, '[{"id":9007199254740993}]']
        : [200, path.includes('notes') ? '[]' : '{"id":1}'],
    );
    expect(results).toEqual({ listOrders: [], getOrder: [], listNotes: [], ...LEFT_OUT });
    expect(paths.filter((path) => !path.startsWith('/orders?'))).toEqual([
      '/orders/9007199254740993',
      '/orders/9007199254740993/notes?shop=north',
    ]);
    expect(paths).toContain('/orders?shop=north');
  });

  it('takes the ids of a list in a member', async () => {
    const { paths } = await resultsWith(() => [200, '{"total":1,"items":[{"id":7}]}']);
    expect(paths).toContain('/orders/7');
  });

  it('reports a status or a body that differs', async () => {
    const { results } = await resultsWith((path) =>
      path.startsWith('/orders?') ? [200, '[{"id":"7"}]'] : [404, '{}'],
    );
    expect(results).toMatchObject({
      listOrders: ['body/0/id must be integer'],
      getOrder: ['status 404 instead of 200'],
      listNotes: ['status 404 instead of 200'],
    });
  });

  it('takes another resource when the first one is deleted meanwhile', async () => {
    const { results } = await resultsWith((path, count) => {
      if (path.startsWith('/orders?')) return [200, `[{"id":${count < 3 ? 7 : 8}}]`];
      return path === '/orders/7' ? [404, '{}'] : [200, path.includes('notes') ? '[]' : '{"id":8}'];
    });
    expect(results).toMatchObject({ getOrder: [], listNotes: [] });
  });

  it('says that a list has no id', async () => {
    const { results } = await resultsWith(() => [200, '[]']);
    expect(results).toEqual({
      listOrders: [],
      getOrder: 'getOrder with success (GET /orders lists no id)',
      listNotes: 'listNotes with success (GET /orders lists no id)',
      ...LEFT_OUT,
    });
  });
});
