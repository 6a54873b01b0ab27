import { expect, it } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../../src/app.js';
import { readConfig } from '../../../src/config.js';
import { createDatabase } from '../../support/databases/databases.js';
import { PATIENT } from '../../support/databases/time-limits.js';

it('app.listen without a host listens on every address', async () => {
  const database = await createDatabase();
  const app = await createApp({ ...readConfig({ DATABASE_URL: database.url, LOG_LEVEL: 'silent' }), ...PATIENT });
  await app.listen(0);
  const { port } = app.getHttpServer().address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/live`);
  expect({ status: response.status, body: await response.json() }).toEqual({ status: 200, body: { status: 'live' } });
  await app.close();
  await database.drop();
});
