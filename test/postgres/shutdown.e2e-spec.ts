import { expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { KEY, startService } from '../support/built-service.js';
import { listRequest } from '../support/http/raw/raw-requests.js';
import { createDatabase } from '../support/databases/databases.js';
import { RawConnection } from '../support/http/raw/raw-socket.js';
import { UnsteadyNetwork } from '../support/http/unsteady-network.js';

it.each([
  ['in time', 0, false],
  ['at once after a second signal', 120_000, true],
])(
  'the service stops %s, with exit code 1, although PostgreSQL does not respond',
  async (_, grace, twice) => {
    const database = await createDatabase();
    const network = await UnsteadyNetwork.to(database.url);
    const service = await startService(network.url, {
      DATABASE_CONNECT_TIMEOUT_MS: '120000',
      DATABASE_STATEMENT_TIMEOUT_MS: '120000',
      SHUTDOWN_GRACE_MS: String(grace),
      SHUTDOWN_TIMEOUT_MS: '700',
      LOG_LEVEL: 'warn',
    });
    await service.api.get('/v1/pets');
    network.jam();
    const waiting = await RawConnection.open(service.port);
    // The response to the first request proves that the second has arrived as well.
    await waiting.send(`GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n${listRequest(KEY)}`).response();

    const start = performance.now();
    service.kill('SIGTERM');
    if (twice) {
      while ((await service.api.get('/live')).header('connection') !== 'close') await delay(20);
      // Signals in quick succession would count as one.
      await delay(200);
      service.kill('SIGTERM');
    }
    expect(await service.exit).toEqual({ code: 1, signal: null });
    expect(performance.now() - start).toBeLessThan(20_000);
    expect(service.output.stderr).toContain(
      `Requests aborted by ${twice ? 'a second signal' : 'the shutdown deadline'}: 1.`,
    );

    network.clear();
    await network.close();
    await database.drop();
  },
  180_000,
);
