import { build } from 'esbuild';
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const { generateClient } = (await import(
  new URL('../../../tools/contract-client/generate.mjs', import.meta.url).href
)) as { readonly generateClient: (contract: string, file: string) => Promise<string> };

type CreateClient<T> = (options: { readonly baseUrl: string; readonly key: string }) => T;

/** The client of a contract; its generated types are left to `npm run check:types`. The run removes its folder. */
export async function buildClient<T>(contract: string): Promise<CreateClient<T>> {
  const folder = mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'client-of-'));
  cpSync(join(ROOT, 'client/src'), join(folder, 'src'), { recursive: true });
  const file = join(folder, 'src/contract.generated.ts');
  writeFileSync(file, await generateClient(contract, file));
  const outfile = join(folder, 'client.mjs');
  await build({ entryPoints: [join(folder, 'src/client.ts')], outfile, bundle: true, format: 'esm' });
  const { createClient } = (await import(pathToFileURL(outfile).href)) as { readonly createClient: CreateClient<T> };
  return createClient;
}
