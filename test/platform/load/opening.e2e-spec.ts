import { expect, it } from '@jest/globals';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { KEY, startService, stopService, temporaryDirectory } from '../../support/built-service.js';
import { goodCreation } from '../../support/http/raw/raw-requests.js';
import { RawConnection } from '../../support/http/raw/raw-socket.js';

const CONNECTIONS = 200;
/** Bytes of one page in the write-ahead log of SQLite. A commit writes two, however many pets it stores. */
const PAGE = 4120;

it('creations on many connections that open at once share commits', async () => {
  const file = join(temporaryDirectory(), 'pets.sqlite');
  const service = await startService(file);
  await service.api.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  const bytesBefore = statSync(`${file}-wal`).size;
  service.kill('SIGSTOP');
  // The kernel accepts them meanwhile.
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => RawConnection.open(service.port)));
  for (const connection of connections) connection.send(goodCreation(KEY));
  service.kill('SIGCONT');
  const responses = await Promise.all(connections.map((connection) => connection.response()));
  expect(responses.map(({ status }) => status)).toStrictEqual(connections.map(() => 201));
  expect((statSync(`${file}-wal`).size - bytesBefore) / PAGE).toBeLessThan(CONNECTIONS);
  for (const connection of connections) connection.close();
  await stopService(service);
});
