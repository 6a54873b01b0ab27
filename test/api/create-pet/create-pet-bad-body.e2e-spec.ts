import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  badRequest,
  CATEGORY_VIOLATED,
  NAME_VIOLATED,
  NO_BODY,
  outcome,
  STATUS_VIOLATED,
} from '../../properties/outcome.js';
import { type StartedApp, startApp } from '../../support/start-app.js';

const NOT_AN_OBJECT = badRequest('The body must be a JSON object.');

describe('POST /pets with an invalid body', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
  });

  const post = async (body: string | Buffer) => outcome(await service.api.post('/v1/pets', body));

  it.each([
    ['{}', 'name is required; categoryId is required'],
    ['{"name":"Rex"}', 'categoryId is required'],
    ['{"categoryId":7}', 'name is required'],
    ['{"status":"sold"}', 'name is required; categoryId is required'],
    ['{"__proto__":{"name":"Rex","categoryId":7}}', 'name is required; categoryId is required'],
    ['{"Name":"Rex","categoryID":7}', 'name is required; categoryId is required'],
    ['{"name":null,"categoryId":null,"status":null}', `${NAME_VIOLATED}; ${CATEGORY_VIOLATED}; ${STATUS_VIOLATED}`],
    ['{"name":1,"categoryId":"7","status":"lost"}', `${NAME_VIOLATED}; ${CATEGORY_VIOLATED}; ${STATUS_VIOLATED}`],
    ['{"name":1,"status":"lost"}', `${NAME_VIOLATED}; categoryId is required; ${STATUS_VIOLATED}`],
  ])('reports each violation: %s', async (body, message) => {
    expect(await post(body)).toStrictEqual(badRequest(message));
  });

  it.each([
    'null',
    'true',
    'false',
    '0',
    '1.5',
    '[]',
    '["Rex"]',
    '{}',
    '{"toString":1}',
    String.raw`"\u0000"`,
    String.raw`"a\u0000b"`,
    String.raw`"\ud800"`,
    String.raw`"\udc00"`,
    String.raw`"\ud83ex"`,
    String.raw`"x\udd8a"`,
    String.raw`"\udd8a\ud83e"`,
    String.raw`"\ud83e\ud83e\udd8a"`,
  ])('rejects the name %s', async (name) => {
    expect(await post(`{"name":${name},"categoryId":7}`)).toStrictEqual(badRequest(NAME_VIOLATED));
  });

  it.each([
    'null',
    'true',
    '""',
    '"7"',
    '[]',
    '[7]',
    '{}',
    '1.5',
    '-0.5',
    '1e-1',
    '1e-400',
    '1e19',
    '1e400',
    '-1e400',
    '1e99999999999999999999',
    '9223372036854775808',
    '-9223372036854775809',
    '18446744073709551616',
    '9'.repeat(100),
  ])('rejects the categoryId %s', async (categoryId) => {
    expect(await post(`{"name":"Rex","categoryId":${categoryId}}`)).toStrictEqual(badRequest(CATEGORY_VIOLATED));
  });

  it.each([
    'null',
    'true',
    '0',
    '""',
    '"unknown"',
    '"Available"',
    '"AVAILABLE"',
    '" available"',
    String.raw`"available\u0000"`,
    '"__proto__"',
    '"toString"',
    '[]',
    '["available"]',
    '{}',
    '{"available":1}',
  ])('rejects the status %s', async (status) => {
    expect(await post(`{"name":"Rex","categoryId":7,"status":${status}}`)).toStrictEqual(badRequest(STATUS_VIOLATED));
  });

  it.each([
    'null',
    'true',
    'false',
    '7',
    '1e400',
    '9223372036854775808',
    '"Rex"',
    '[]',
    '[{"name":"Rex","categoryId":7}]',
  ])('rejects JSON that is not an object: %s', async (body) => {
    expect(await post(body)).toStrictEqual(NOT_AN_OBJECT);
  });

  it.each<[string, string | Buffer, string]>([
    ['white space alone', ' \n', 'unexpected end'],
    ['an unterminated object', '{"name":"Rex"', 'unexpected end'],
    ['an unterminated array', '[[[', 'unexpected end'],
    ['an unterminated string', '{"name":"Rex', 'unexpected end'],
    ['an unterminated escape', String.raw`{"name":"\u00`, 'syntax error at position 9'],
    ['a trailing comma', '{"name":"Rex","categoryId":7,}', 'syntax error at position 29'],
    ['a missing comma', '{"name":"Rex" "categoryId":7}', 'syntax error at position 14'],
    ['a missing colon', '{"name" "Rex"}', 'syntax error at position 8'],
    ['text after the value', '{"name":"Rex","categoryId":7}x', 'syntax error at position 29'],
    ['two values', '{"name":"Rex","categoryId":7}{}', 'syntax error at position 29'],
    ['a NUL after the value', '{"name":"Rex","categoryId":7}\0', 'syntax error at position 29'],
    ['text before the value', 'x{"name":"Rex","categoryId":7}', 'syntax error at position 0'],
    ['a prefix against script inclusion', ')]}\'\n{"name":"Rex","categoryId":7}', 'syntax error at position 0'],
    ['a comment', '{"name":"Rex",/* */"categoryId":7}', 'syntax error at position 14'],
    ['single quotes', `{'name':'Rex'}`, 'syntax error at position 1'],
    ['a name without quotes', '{name:"Rex"}', 'syntax error at position 1'],
    ['a form', 'name=Rex&categoryId=7', 'syntax error at position 0'],
    ['NaN', '{"categoryId":NaN}', 'syntax error at position 14'],
    ['Infinity', '{"categoryId":-Infinity}', 'syntax error at position 14'],
    ['undefined', '{"categoryId":undefined}', 'syntax error at position 14'],
    ['True', '{"name":True}', 'syntax error at position 8'],
    ['a number with a plus', '{"categoryId":+7}', 'syntax error at position 14'],
    ['a number with a leading zero', '{"categoryId":07}', 'syntax error at position 15'],
    ['a number without its integer', '{"categoryId":.5}', 'syntax error at position 14'],
    ['a number without its fraction', '{"categoryId":5.}', 'syntax error at position 15'],
    ['a number without its exponent', '{"categoryId":5e}', 'syntax error at position 15'],
    ['a hexadecimal number', '{"categoryId":0x7}', 'syntax error at position 15'],
    ['a JavaScript bigint', '{"categoryId":7n}', 'syntax error at position 15'],
    ['an unknown escape', String.raw`{"name":"\x"}`, 'syntax error at position 9'],
    ['an escape without digits', String.raw`{"name":"\u00g0"}`, 'syntax error at position 9'],
    ['a line feed in a string', '{"name":"a\nb"}', 'syntax error at position 10'],
    ['a tab in a string', '{"name":"a\tb"}', 'syntax error at position 10'],
    ['a NUL in a string', '{"name":"a\0b"}', 'syntax error at position 10'],
    ['white space that JSON does not allow', '{\u00a0"name":"Rex"}', 'syntax error at position 1'],
    ['a byte order mark', '\ufeff{"name":"Rex","categoryId":7}', 'syntax error at position 0'],
    ['a member twice', '{"name":"Rex","name":"Rex","categoryId":7}', 'duplicate member name at position 14'],
    ['a member twice, once escaped', String.raw`{"name":"a","n\u0061me":"b"}`, 'duplicate member name at position 12'],
    ['a member twice, the second invalid', '{"categoryId":7,"categoryId":', 'duplicate member name at position 16'],
    ['an undeclared member twice', '{"x":1,"x":1}', 'duplicate member name at position 7'],
    ['a nested member twice', '{"x":[{"y":1,"y":2}]}', 'duplicate member name at position 13'],
    ['__proto__ twice', '{"__proto__":1,"__proto__":2}', 'duplicate member name at position 15'],
    ['a hundred and one arrays', '['.repeat(101) + ']'.repeat(101), 'nested deeper than 100 levels'],
    ['a hundred and one objects', '{"a":'.repeat(101) + '1' + '}'.repeat(101), 'nested deeper than 100 levels'],
    ['a hundred thousand arrays', '['.repeat(100_000), 'nested deeper than 100 levels'],
    ['Latin-1', Buffer.from('{"name":"é"}', 'latin1'), 'invalid UTF-8'],
    ['UTF-16', Buffer.from('{"name":"Rex","categoryId":7}', 'utf16le'), 'syntax error at position 1'],
    ['UTF-16 with a byte order mark', Buffer.from('\ufeff{"name":"Rex"}', 'utf16le'), 'invalid UTF-8'],
    ['an encoded surrogate', Buffer.from('7b226e616d65223a22eda080227d', 'hex'), 'invalid UTF-8'],
    ['an overlong NUL', Buffer.from('7b226e616d65223a22c080227d', 'hex'), 'invalid UTF-8'],
    ['a character cut in half', Buffer.from('7b226e616d65223a22f09fa6227d', 'hex'), 'invalid UTF-8'],
    ['undeclared gzip', Buffer.from('1f8b0800000000000003', 'hex'), 'invalid UTF-8'],
  ])('rejects invalid JSON: %s', async (_, body, reason) => {
    expect(await post(body)).toStrictEqual(badRequest(`The body is not valid JSON: ${reason}.`));
  });

  it('rejects a missing body', async () => {
    expect(outcome(await service.api.request('POST', '/v1/pets'))).toStrictEqual(NO_BODY);
  });

  it('rejects an empty body', async () => {
    expect(await post('')).toStrictEqual(NO_BODY);
  });

  it('rejects an empty chunked body', async () => {
    const headers = { 'content-length': null, 'transfer-encoding': 'chunked' };
    expect(outcome(await service.api.post('/v1/pets', '', { headers }))).toStrictEqual(NO_BODY);
  });

  it('stores nothing', async () => {
    await post('{"name":"Rex","categoryId":7,"status":"lost"}');
    await post('{"name":"Rex","categoryId":7}x');
    expect(outcome(await service.api.get('/v1/pets'))).toStrictEqual({ status: 200, body: [] });
  });
});
