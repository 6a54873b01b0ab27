import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltService, KEY, startService, stopService, temporaryDirectory } from '../support/built-service.js';
import { goodCreation, listRequest } from '../support/http/raw/raw-requests.js';
import { RawConnection } from '../support/http/raw/raw-socket.js';

/** From Debian's package `faketime`, in a directory that depends on the machine's architecture. */
const FAKETIME = readdirSync('/usr/lib')
  .map((directory) => join('/usr/lib', directory, 'faketime/libfaketimeMT.so.1'))
  .find((file) => existsSync(file));
const describeWithFaketime = FAKETIME !== undefined || process.env.CI ? describe : describe.skip;

const HOUR = 3_600_000;
/** Milliseconds by which the clock of the service may differ from ours. */
const TOLERANCE = 600_000;
/** Milliseconds for a start, and possibly the build, on a busy machine. */
const TIMEOUT = 240_000;

/** Starts the service with a clock that follows a file. */
async function startWithClock() {
  const directory = temporaryDirectory();
  const file = join(directory, 'clock');
  writeFileSync(file, '+0');
  const service = await startService(join(directory, 'pets.sqlite'), {
    LD_PRELOAD: FAKETIME,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    // A jump of the system's clock does not affect the monotonic one.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    HEADERS_TIMEOUT_MS: '5000',
    LOG_LEVEL: 'warn',
  });
  return { service, setClock: (hours: number) => writeFileSync(file, `${hours < 0 ? '' : '+'}${hours}h`) };
}

/** Waits until responses show that the service's clock is ahead of ours by that many hours. */
async function untilClockIs({ api }: BuiltService, hours: number): Promise<void> {
  let ahead: number;
  do {
    const response = await api.get('/live');
    expect(response.status).toBe(200);
    ahead = Date.parse(response.header('date')!) - Date.now();
  } while (Math.abs(ahead - hours * HOUR) > TOLERANCE);
}

describeWithFaketime('a clock that jumps by an hour', () => {
  it.each([
    ['forwards', 1],
    ['backwards', -1],
  ])(
    'neither ends connections early nor keeps them open: %s',
    async (_, hours) => {
      const { service, setClock } = await startWithClock();
      const open = () => RawConnection.open(service.port);
      const [idle, sending, stalled] = await Promise.all([open(), open(), open()]);
      expect((await idle.send(listRequest(KEY)).response()).status).toBe(200);
      const request = goodCreation(KEY);
      sending.send(request.slice(0, -9));

      setClock(hours);
      await untilClockIs(service, hours);
      expect((await sending.send(request.slice(-9)).response()).status).toBe(201);
      expect((await idle.send(listRequest(KEY)).response()).status).toBe(200);
      expect((await service.api.get('/ready')).status).toBe(200);
      expect((await stalled.send(request.slice(0, 20)).response()).status).toBe(408);

      await stopService(service);
      expect(service.output.stderr).toBe('');
    },
    TIMEOUT,
  );
});
