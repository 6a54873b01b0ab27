import type { ContractNode } from '../source/contract-node.js';
import { object } from './construct.js';
import { document } from './document-constructs.js';

/**
 * Walks the whole contract, including unused components: every construct of OpenAPI is honoured, or refused here with a
 * StartError (docs/contract.md). Only extensions (`x-...`) of other tools are ignored.
 */
export function checkConstructs(root: ContractNode): void {
  const openapi = root.need('openapi');
  const version = /^3\.([01])\.\d+$/.exec(String(openapi.value))?.[1];
  if (version === undefined) return openapi.fail('"openapi" must be a release of 3.0 or 3.1, such as 3.1.1');
  object(() => document)(root, { version: version === '0' ? '3.0' : '3.1', seen: new Set() });
}
