import { checkEach } from './source/check-each.js';
import { pathsOf } from './paths.js';
import { readParameter } from './requests/parameter.js';
import { compileRequestCheck } from './requests/request-check.js';
import { headerRule } from './responses/header-rule.js';
import { readResponses } from './responses/read-responses.js';
import { compileCheck } from './schemas/compile-check.js';
import { defaultOf } from './schemas/object-members.js';
import type { ContractNode } from './source/contract-node.js';

/** Compiles components that no operation uses, to prove that they are valid: some constructs are refused only then. */
export function compileComponents(root: ContractNode): void {
  const components = root.get('components');
  const all = (kind: string) => components?.get(kind)?.children() ?? [];
  // If every operation of a path replaces one of its parameters, no operation compiles the replaced one.
  const ofPaths = pathsOf(root).flatMap((path) => path.get('parameters')?.children() ?? []);
  checkEach([...all('parameters'), ...ofPaths], readParameter);
  checkEach(all('headers'), headerRule);
  checkEach(all('requestBodies'), (body) => compileRequestCheck([], body));
  const responses = components?.get('responses');
  if (responses) readResponses(responses);

  const users = [root.get('paths'), root.get('x-protocol-responses'), ...all('parameters'), ...all('headers')];
  const used = new Set<string>();
  for (const user of [...users, ...all('requestBodies'), ...all('responses')]) if (user) addPlaces(user, used);
  const unused = all('schemas').filter((schema) => !used.has(placeOf(schema)));
  checkEach(unused, compileSchema);
}

/** Adds the places that the node refers to, directly or through others. */
function addPlaces(node: ContractNode, places: Set<string>): void {
  for (const target of node.references()) {
    if (places.has(placeOf(target))) continue;
    places.add(placeOf(target));
    addPlaces(target, places);
  }
}

function placeOf(node: ContractNode): string {
  return node.path.join('/');
}

/** Nothing says whether an unused schema belongs to requests or responses: assume requests, which have more rules. */
function compileSchema(schema: ContractNode): void {
  // The content of a response that is not JSON; nothing else may have it.
  if (schema.get('format')?.value === 'binary') return;
  defaultOf(schema, compileCheck(schema, 'request'));
}
