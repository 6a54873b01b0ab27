// Programs from packages of Debian 12.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ClusterError } from './command.mjs';

export const POSTGRES = '/usr/lib/postgresql/15/bin';
/** Set HAPROXY for another release. */
export const HAPROXY = process.env.HAPROXY ?? '/usr/sbin/haproxy';

/** Each program and its package. */
const PACKAGES = {
  '/usr/bin/etcd': 'etcd-server',
  [HAPROXY]: 'haproxy',
  '/usr/bin/patroni': 'patroni',
  [`${POSTGRES}/postgres`]: 'postgresql-15',
};

/** PostgreSQL does not run as root, so root runs everything as the user that PostgreSQL's package creates. */
export const OWNER = process.getuid() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;

function idOf(flag) {
  try {
    return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }));
  } catch {
    return undefined;
  }
}

export function assertInstalled() {
  const missing = Object.keys(PACKAGES).filter((program) => !existsSync(program));
  if (missing.length === 0) return;
  const names = missing.map((program) => PACKAGES[program]);
  throw new ClusterError(`Packages of Debian 12 are missing; run "apt-get install ${names.join(' ')}".`);
}
