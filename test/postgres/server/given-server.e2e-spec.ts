import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { onServer } from '../../support/databases/databases.js';
import { temporaryDirectory } from '../../support/built-service.js';

const module = new URL('../../support/databases/use-postgres.js', import.meta.url).href;

describe('TEST_DATABASE_URL', () => {
  const prefix = `${process.env.TEST_DATABASE_PREFIX}_${randomBytes(4).toString('hex')}`;

  const databases = (name: string) =>
    onServer<{ datname: string }>('SELECT "datname" FROM "pg_database" WHERE starts_with("datname", $1)', [name]);

  it.each(['ends', 'is killed'])(
    'leaves nothing on the given server after a run that %s',
    async (how) => {
      const directory = temporaryDirectory();
      const args = JSON.stringify([process.env.TEST_POSTGRES_URL, prefix, directory]).slice(1, -1);
      const script = `const { usePostgres } = await import(${JSON.stringify(module)});
      const { stop } = await usePostgres(${args});
      console.log('used');
      process.stdin.once('data', async () => { await stop(); process.exit(); });`;
      const runner = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      await once(runner.stdout, 'data');
      for (const name of ['one', 'two']) await onServer(`CREATE DATABASE ${prefix}_${name}`);
      expect(await databases(prefix)).toHaveLength(2);
      if (how === 'ends') runner.stdin.write('end');
      else runner.kill('SIGKILL');
      await once(runner, 'exit');
      for (let waited = 0; existsSync(directory) && waited < 200; waited += 1) await delay(50);
      expect(await databases(prefix)).toEqual([]);
      expect(existsSync(directory)).toBe(false);
    },
    120_000,
  );
});
