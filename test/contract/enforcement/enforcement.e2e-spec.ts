import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, type Type, UnauthorizedException } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FEATURES } from '../../../src/app.module.js';
import { SchemeGuard } from '../../../src/platform/http/scheme.guard.js';
import { StartError } from '../../../src/platform/process/start-error.js';
import { startApp } from '../../support/start-app.js';
import { type Edit, EDITS } from './edits.js';

const CONTRACT = readFileSync(new URL('../../../openapi.yaml', import.meta.url), 'utf8');
const directory = mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'edits-'));

function fileOf({ title, from, to }: Edit): string {
  if (!CONTRACT.includes(from)) throw new Error(`openapi.yaml lacks ${from}`);
  const file = join(directory, `${title.replaceAll(/\W/g, '-')}.yaml`);
  writeFileSync(
    file,
    CONTRACT.replace(from, () => to),
  );
  return file;
}

@Injectable()
class JwtGuard extends SchemeGuard {
  protected readonly scheme = 'jwt';

  protected authenticate(): never {
    throw new UnauthorizedException();
  }
}

@Module({ providers: [JwtGuard] })
class UnregisteredModule {}

class TellingGuard extends JwtGuard {
  protected override readonly challenges = { 401: ['Bearer realm="jwt"'] };
}

/** Nest runs the guards of the root module before those of the modules that it imports. */
@Module({ providers: [{ provide: APP_GUARD, useClass: JwtGuard }] })
class LateModule {}

@Module({ providers: [{ provide: APP_GUARD, useClass: TellingGuard }] })
class LateTellingModule {}

/** The contract with a second scheme, which listPets requires. */
function contractOfTwoSchemes(): string {
  const { from, to } = EDITS.find(({ title }) => title === 'a second security scheme')!;
  const id = '      operationId: listPets\n';
  const file = join(directory, 'two-schemes.yaml');
  writeFileSync(
    file,
    CONTRACT.replace(from, () => to).replace(id, () => `${id}      security:\n        - jwt: []\n`),
  );
  return file;
}

describe('a change of openapi.yaml alone', () => {
  it.each(EDITS.filter(({ refusal }) => refusal).map((edit) => [edit.title, edit] as const))(
    'stops the start: %s',
    async (_, edit) => {
      const file = fileOf(edit);
      const started = startApp({}, { contractFile: file });
      await expect(started).rejects.toThrow(StartError);
      await expect(started).rejects.toThrow(`${file}:`);
      await expect(started).rejects.toThrow(`${edit.refusal}.`);
    },
  );

  it.each(EDITS.filter(({ request }) => request).map((edit) => [edit.title, edit] as const))(
    'acts on the next request: %s',
    async (_, edit) => {
      const { baseUrl, key } = await startApp({}, { contractFile: fileOf(edit) });
      const { target, body } = edit.request!;
      const response = await fetch(`${baseUrl}/v1${target}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      expect(response.status).toBe(edit.status);
      const error = (await response.json()) as { message: string };
      if (edit.message) expect(error.message).toBe(edit.message);
    },
  );

  it('stops the start: a second security scheme whose guard is not registered as APP_GUARD', async () => {
    const edit = EDITS.find(({ title }) => title === 'a second security scheme')!;
    const started = startApp({}, { contractFile: fileOf(edit), features: [...FEATURES, UnregisteredModule] });
    await expect(started).rejects.toThrow(`${edit.refusal}.`);
  });

  it('stops the start: a second security scheme whose guard would run after the body is read', async () => {
    const edit = EDITS.find(({ title }) => title === 'a second security scheme')!;
    const started = startApp({}, { contractFile: fileOf(edit), features: [...FEATURES, LateModule] });
    await expect(started).rejects.toThrow(
      'the guard of the security scheme "jwt" runs after the RequestGuard, so that a request is read before its credentials are checked; register it as APP_GUARD in src/app.module.ts, before the RequestGuard.',
    );
  });

  it('stops the start: a second security scheme whose guard sends no challenge that the contract knows', async () => {
    const start = (feature: Type<object>) =>
      startApp({}, { contractFile: contractOfTwoSchemes(), features: [...FEATURES, feature] });
    await expect(start(LateModule)).rejects.toThrow(
      `the guard of the security scheme "jwt" does not list what it sends as WWW-Authenticate; add "challenges = { 401: ['...'] }" to it, or make the header an optional text without restrictions here.`,
    );
    await expect(start(LateTellingModule)).rejects.toThrow('runs after the RequestGuard');
  });

  it('is one of 22 kinds or more', () => {
    expect(EDITS.length).toBeGreaterThanOrEqual(22);
  });
});
