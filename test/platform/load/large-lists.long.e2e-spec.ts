import { afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { build, KEY, startService, stopService, type BuiltService } from '../../support/built-service.js';
import { createDatabase, type TestDatabase } from '../../support/databases/databases.js';
import { listRequest, message } from '../../support/http/raw/raw-requests.js';
import { RawConnection } from '../../support/http/raw/raw-socket.js';
import { untilServed } from '../../support/http/until-served.js';

/** They make a list of 1.6 MB, for which the service works longer than it may prolong a turn. */
const PETS = 16;
const PET_BYTES = 98_000;
const CONNECTIONS = 100;
/** Lists that may be served while the others connect. With one for each connection, it would be nearly all. */
const MOST = CONNECTIONS / 2;
/** Milliseconds for all lists, which this process also checks, on a slow and busy machine. */
const PATIENCE = 240_000;

interface Line {
  readonly context: string;
  readonly method: string;
  readonly operationId?: string;
  readonly status: number;
}

const isProbe = ({ method, operationId }: Line) => method === 'GET' && operationId === undefined;
const isList = ({ operationId, status }: Line) => operationId === 'listPets' && status === 200;

/** In the order in which they were answered. */
function logged({ output }: BuiltService): Line[] {
  const lines = output.stderr.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Line).filter(({ context }) => context === 'Request');
}

let database: TestDatabase;
let service: BuiltService;

beforeAll(build, 600_000);

beforeEach(async () => {
  database = await createDatabase();
  service = await startService(database.url, {
    LOG_LEVEL: 'info',
    LOG_REQUESTS: 'all',
    DATABASE_CONNECT_TIMEOUT_MS: '60000',
    DATABASE_STATEMENT_TIMEOUT_MS: '60000',
  });
  const pet = { name: 'x'.repeat(PET_BYTES), categoryId: 7 };
  for (let count = 0; count < PETS; count += 1) await untilServed(() => service.api.post('/v1/pets', pet));
}, 60_000);

afterEach(async () => {
  await stopService(service);
  await database.drop();
});

it(
  'connections that open while others get large lists do not wait for these',
  async () => {
    service.kill('SIGSTOP');
    // The kernel accepts them meanwhile.
    const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => RawConnection.open(service.port)));
    for (const connection of connections) connection.send(listRequest(KEY));
    const probe = (await RawConnection.open(service.port)).send(message(['GET /live HTTP/1.1', 'Host: localhost']));
    service.kill('SIGCONT');
    const responses = await Promise.all(connections.map((connection) => connection.response(PATIENCE)));
    expect((await probe.response(PATIENCE)).status).toBe(200);
    // What has waited too long is refused.
    expect([200, 503]).toEqual(expect.arrayContaining([...new Set(responses.map(({ status }) => status))]));
    // The test itself may read the responses in another order.
    const requests = logged(service);
    const before = requests.slice(0, requests.findIndex(isProbe));
    expect(before.length).toBeLessThan(requests.length);
    expect(before.filter(isList).length).toBeLessThan(MOST);
    for (const connection of [...connections, probe]) connection.close();
  },
  2 * PATIENCE,
);
