import { describe, expect, it } from '@jest/globals';

interface Response {
  readonly status: number;
  readonly json: object;
  readonly headers: Headers;
}

const { differencesOf } = (await import(new URL('../../../tools/verify/differences.mjs', import.meta.url).href)) as {
  readonly differencesOf: (operation: object, response: Response, status: number) => string[];
};

/** What npm run verify reports about an error with this message. */
function reportedOf(message: string): string[] {
  const declared = { headers: [], codes: [], members: [] };
  const json = { code: 'BAD_REQUEST', message, status: 400 };
  return differencesOf({ responses: new Map([[400, declared]]) }, { status: 400, json, headers: new Headers() }, 400);
}

describe('the message of an error that npm run verify receives', () => {
  it.each([
    'Error: no\n    at Pets.create (/app/dist/main.js:10:30)',
    'at new Pets (file:///app/dist/main.js:10:30)',
    'at async load (C:\\my app\\main.js:10:30)',
    'at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
    'at Object.<anonymous> (<anonymous>:1:2)',
    'at file:///app/dist/main.js:1:2',
    'at async file:///app/dist/main.js:1:2',
    'at node:internal/main/run_main_module:36:49',
    'at /app/x.js:1:2',
    'at C:\\app\\x.js:1:2',
  ])('is reported when it has a line of a stack: %j', (message) => {
    expect(reportedOf(message)).toEqual(['Error with a stack in its message']);
  });

  it.each([
    'must be at most 5, at 10:30:00',
    'must be at most 5 (now 10:30:00)',
    'must start at 2030-12-05T10:30:00Z',
    'must start at 2030-12-05T10:30:00.000Z, not at noon (12:00:00)',
    'must be at http://127.0.0.1:80/a',
    'must be one of\nred\ngreen',
  ])('is not reported when it has a time or several lines: %j', (message) => {
    expect(reportedOf(message)).toEqual([]);
  });
});

describe('the Content-Type of JSON that npm run verify receives', () => {
  const typeDifferences = (type: string): string[] => {
    const declared = { headers: [], codes: [], members: [], validate: () => true };
    const headers = new Headers({ 'content-type': type });
    return differencesOf({ responses: new Map([[200, declared]]) }, { status: 200, json: {}, headers }, 200);
  };

  it.each(['application/json', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"'])(
    'is not reported when it is JSON in UTF-8: %s',
    (type) => expect(typeDifferences(type)).toEqual([]),
  );

  it.each(['application/json; charset=iso-8859-1', 'application/json; a=b', 'application/jsonx', 'text/html'])(
    'is reported when it is another type or has another parameter: %s',
    (type) => expect(typeDifferences(type)).toEqual([`content type ${type}`]),
  );
});
