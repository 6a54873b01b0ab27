import { beforeAll, expect, it } from '@jest/globals';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { build, KEY, startService, stopService, temporaryDirectory } from '../../support/built-service.js';
import { goodCreation } from '../../support/http/raw/raw-requests.js';
import { RawConnection } from '../../support/http/raw/raw-socket.js';
import { untilServed } from '../../support/http/until-served.js';

const CONNECTIONS = 200;
/** Bytes of one page in the write-ahead log of SQLite. A commit writes two, however many pets it stores. */
const PAGE = 4120;

beforeAll(build, 600_000);

it('creations on many connections that open at once share commits', async () => {
  const file = join(temporaryDirectory(), 'pets.sqlite');
  const service = await startService(file);
  await service.api.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  const bytesBefore = statSync(`${file}-wal`).size;
  service.kill('SIGSTOP');
  // The kernel accepts them meanwhile.
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => RawConnection.open(service.port)));
  const created = connections.map((connection) => untilServed(() => connection.send(goodCreation(KEY)).response()));
  service.kill('SIGCONT');
  const responses = await Promise.all(created);
  expect(responses.map(({ status }) => status)).toStrictEqual(connections.map(() => 201));
  expect((statSync(`${file}-wal`).size - bytesBefore) / PAGE).toBeLessThan(CONNECTIONS);
  for (const connection of connections) connection.close();
  await stopService(service);
});
