import { expect, it } from '@jest/globals';
import { copyFileSync, readdirSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type BuiltService, startService, stopService } from '../../support/built-service.js';
import { addPets, numbered, walk } from '../../support/pets.js';
import { newDatabaseFile, TIME } from '../starts.js';

/** The log has the id of the process. */
async function saveOpenFiles({ output }: BuiltService, files: readonly string[]): Promise<void> {
  while (!output.stderr.includes('\n')) await delay(10);
  const { pid } = JSON.parse(output.stderr.split('\n')[0]!) as { pid: number };
  const folder = `/proc/${pid}/fd`;
  for (const number of readdirSync(folder)) {
    const file = readlinkSync(`${folder}/${number}`).replace(/ \(deleted\)$/, '');
    if (files.includes(file)) copyFileSync(`${folder}/${number}`, `${file}.saved`);
  }
}

const itOnLinux = process.platform === 'linux' ? it : it.skip;

itOnLinux.each<[string, readonly string[], readonly string[]]>([
  ['the write-ahead log', ['-wal'], []],
  ['the index of the write-ahead log', ['-shm'], []],
  ['the database', [''], ['', '-wal']],
  ['all files', ['', '-wal', '-shm'], ['', '-wal']],
])(
  'no acknowledged pet is lost when an operator deletes %s and then follows the documentation',
  async (_, deleted, saved) => {
    const file = newDatabaseFile();
    const service = await startService(file, { LOG_LEVEL: 'error' });
    const pets = await addPets(service.api, numbered(20));
    for (const suffix of deleted) rmSync(`${file}${suffix}`);
    expect((await service.api.get('/ready')).status).toBe(503);
    await saveOpenFiles(
      service,
      saved.map((suffix) => `${file}${suffix}`),
    );
    await stopService(service);
    for (const suffix of saved) renameSync(`${file}${suffix}.saved`, `${file}${suffix}`);
    const next = await startService(file);
    expect(await walk(next.api, '/v1/pets')).toEqual(pets);
    await stopService(next);
  },
  TIME,
);
