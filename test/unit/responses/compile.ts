import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileSerialiser, type Serialiser } from '../../../src/platform/contract/responses/serialiser.js';
import { ContractNode } from '../../../src/platform/contract/source/contract-node.js';

/** Writes the schema as JSON, which is valid YAML. */
export function compile(schema: object): Serialiser {
  const directory = mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'schema-'));
  try {
    writeFileSync(join(directory, 'schema.yaml'), JSON.stringify(schema));
    return compileSerialiser(ContractNode.read(join(directory, 'schema.yaml')).root);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
