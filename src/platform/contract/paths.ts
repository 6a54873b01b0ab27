import type { ContractNode } from './source/contract-node.js';

/** In lower case, as in the contract. */
const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch']);

/** The paths of the document, without its extensions. */
export function pathsOf(root: ContractNode): ContractNode[] {
  return root
    .need('paths')
    .children()
    .filter(({ key }) => key.startsWith('/'));
}

export function operationsOf(path: ContractNode): ContractNode[] {
  return path.children().filter(({ key }) => METHODS.has(key));
}
