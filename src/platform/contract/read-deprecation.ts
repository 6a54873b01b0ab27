import type { Deprecation } from './contract.js';
import { operationsOf, pathsOf } from './paths.js';
import type { ContractNode } from './source/contract-node.js';

export function readDeprecation(root: ContractNode, basePath: string, node: ContractNode): Deprecation {
  const successor = node.get('x-successor');
  const deprecatedAt = readDay(node.need('x-deprecated-at'));
  const end = node.need('x-sunset');
  const sunset = readDay(end);
  if (sunset < deprecatedAt) end.fail('"x-sunset" must not be before "x-deprecated-at"');
  return {
    deprecatedAt,
    sunset,
    successor: successor && basePath + pathOf(root, successor),
    documentation: node.get('externalDocs')?.need('url').text(),
  };
}

function readDay(node: ContractNode): Date {
  const day = new Date(node.text());
  // V8 reads 30 February as 2 March.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(`${node.text()}T`)
    ? day
    : node.fail(`"${node.key}" must be a day, such as 2030-12-05`);
}

function pathOf(root: ContractNode, operationId: ContractNode): string {
  const path = pathsOf(root).find((item) =>
    operationsOf(item).some((node) => node.get('operationId')?.value === operationId.text()),
  );
  if (path?.key.includes('{'))
    operationId.fail(
      '"x-successor" becomes a Link, which needs a URL; name an operation without parameters in its path',
    );
  return path?.key ?? operationId.fail(`no operation has the operationId "${operationId.text()}"; name a declared one`);
}
