import type { LoggerService } from '@nestjs/common';
import type { ValidKey } from './valid-keys.js';

type Keys = ReadonlyMap<string, ValidKey>;

/** Logs each change of the accepted keys in one line. */
export function logChanges(logger: Pick<LoggerService, 'log'>, before: Keys, after: Keys): void {
  for (const key of after.values()) {
    const old = before.get(key.hash);
    if (!old) logger.log(details(key), 'An API key is accepted.');
    else if (old.endsAt !== key.endsAt) logger.log(details(key), 'An API key ends at another time.');
  }
  for (const key of before.values()) {
    if (!after.has(key.hash)) logger.log({ key: key.name }, 'An API key is no longer accepted.');
  }
}

function details({ name, mayWrite, endsAt }: ValidKey): object {
  return {
    key: name,
    scope: mayWrite ? 'write' : 'read',
    ...(endsAt !== Infinity && { endsAt: new Date(endsAt).toISOString() }),
  };
}
