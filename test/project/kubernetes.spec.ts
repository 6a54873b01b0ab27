import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const DIRECTORY = fileURLToPath(new URL('../../deploy/kubernetes', import.meta.url));

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A class of `kubernetes-models`, which validates against the schema that Kubernetes publishes. */
type Model = new (manifest: Manifest) => { validate(): void };

const manifests = readdirSync(DIRECTORY, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml') && basename(file) !== 'kustomization.yaml')
  .map((file) => [file, parse(readFileSync(join(DIRECTORY, file), 'utf8')) as Manifest] as const);

/** Throws unless the manifest conforms to the schema of its kind. */
async function validate(manifest: Manifest): Promise<void> {
  const { apiVersion, kind } = manifest;
  const models = (await import(`kubernetes-models/${apiVersion}/${kind}`)) as Record<string, Model>;
  new models[kind]!(manifest).validate();
}

describe('the manifests of deploy/kubernetes', () => {
  it.each(manifests)('%s conforms to the schema of its kind', async (_, manifest) => {
    await expect(validate(manifest)).resolves.toBeUndefined();
  });

  it('fail validation when a field has the wrong type', async () => {
    const [, deployment] = manifests.find(([, { kind }]) => kind === 'Deployment')!;
    const bad = {
      ...deployment,
      spec: { ...(deployment as unknown as { spec: object }).spec, minReadySeconds: '20 s' },
    };
    await expect(validate(bad)).rejects.toThrow('minReadySeconds');
  });
});
