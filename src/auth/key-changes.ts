import type { LoggerService } from '@nestjs/common';
import { hasEnded, type ValidKey } from './valid-keys.js';

type Keys = ReadonlyMap<string, ValidKey>;

/** Logs each change of the accepted keys in one line. */
export function logChanges(logger: Pick<LoggerService, 'log'>, before: Keys, after: Keys): void {
  for (const key of after.values()) {
    const old = before.get(key.hash);
    if (old?.endsAt === key.endsAt) continue;
    if (hasEnded(key)) logEnd(logger, key);
    else logger.log(details(key), old ? 'An API key ends at another time.' : 'An API key is accepted.');
  }
  for (const key of before.values()) if (!after.has(key.hash)) logEnd(logger, key);
}

function logEnd(logger: Pick<LoggerService, 'log'>, { name }: ValidKey): void {
  logger.log({ key: name }, 'An API key is no longer accepted.');
}

function details({ name, mayWrite, endsAt }: ValidKey): object {
  return {
    key: name,
    scope: mayWrite ? 'write' : 'read',
    ...(endsAt !== Infinity && { endsAt: new Date(endsAt).toISOString() }),
  };
}
