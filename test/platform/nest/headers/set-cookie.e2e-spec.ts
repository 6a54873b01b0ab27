import { expect, it } from '@jest/globals';
import { FAILED } from '../../../properties/outcome.js';
import { startApp } from '../../../support/start-app.js';
import { baseContract, type Part, postOf, writeContract } from '../../constructs/base-contract.js';
import { things, ThingsModule } from '../../constructs/things.module.js';
import { closing, uncheckedClient } from './opened.js';

const SCHEMA = { type: 'string', pattern: '^(session|theme)=[a-z]+; Path=/$' };
const SESSION = 'session=a; Path=/';
const THEME = 'theme=dark; Path=/';

it.each<[string, string[] | undefined, number]>([
  ['one cookie', [SESSION], 201],
  ['two cookies', [SESSION, THEME], 201],
  ['another cookie', ['other=a; Path=/'], FAILED.status],
  ['another cookie beside one', [SESSION, 'other=a; Path=/'], FAILED.status],
  ['an empty list of cookies', [], FAILED.status],
  ['no cookie', undefined, FAILED.status],
])('the schema of Set-Cookie describes each cookie: %s', async (_, cookies, status) => {
  const contract: Part = baseContract('3.0.3');
  const { responses } = postOf(contract);
  responses[201].headers = { 'Set-Cookie': { required: true, schema: SCHEMA } };
  const options = { contractFile: writeContract(contract), features: [ThingsModule] };
  const started = await closing(startApp({}, options));
  Object.assign(things, { answer: {}, headers: cookies ? { 'Set-Cookie': cookies } : {} });
  const response = await uncheckedClient(started).request('POST', '/v1/things', { body: '{}' });
  expect(response.status).toBe(status);
  expect(response.headers['set-cookie'] ?? []).toEqual(status === 201 ? cookies : []);
});
