import type { INestApplication } from '@nestjs/common';
import { inspect } from 'node:util';

/** Replaces the application's logger and collects the errors. */
export function collectErrors(app: INestApplication): string[] {
  const errors: string[] = [];
  app.useLogger({
    log: () => {},
    warn: () => {},
    error: (...parts: unknown[]) => errors.push(parts.map((part) => inspect(part)).join(' ')),
  });
  return errors;
}
