import { compileComponents } from './compile-components.js';
import { checkConstructs } from './constructs/check-constructs.js';
import { pathViolation } from './constructs/path-construct.js';
import type { Contract, Operation } from './contract.js';
import { checkProtocolCodes } from './own-errors.js';
import { operationsOf, pathsOf } from './paths.js';
import { readOperation } from './read-operation.js';
import { readResponses } from './responses/read-responses.js';
import { checkEach } from './source/check-each.js';
import { ContractNode } from './source/contract-node.js';

/** Reads the contract once, at start. Throws a StartError with file, line and reason when it is not supported. */
export function readContract(file: string): Contract {
  const { bytes, root } = ContractNode.read(file);
  // Throws for a reference that leads nowhere.
  root.references();
  checkConstructs(root);
  const basePath = readBasePath(root.need('servers', SERVERS));
  const operations = readOperations(root, basePath);
  const protocol = root.need('x-protocol-responses');
  const protocolResponses = readResponses(protocol);
  checkProtocolCodes(protocol, protocolResponses);
  compileComponents(root);
  const schemes = root.get('components')?.get('securitySchemes')?.children() ?? [];
  return {
    bytes,
    document: root.value as object,
    basePath,
    pathsPosition: root.need('paths').position,
    operations,
    protocolResponses,
    schemes: schemes.map(({ key, position }) => ({ name: key, position })),
  };
}

const SERVERS = 'add the path with which all paths begin, such as "servers: [{ url: /v1 }]"';

/** Of a letter, a digit or `-._~`: RFC 3986, section 2.3, calls both spellings the same, but requests are compared as text. */
const ESCAPE_OF_UNRESERVED = /%(?:4[1-9A-F]|5[0-9A]|6[1-9A-F]|7[0-9A]|3\d|2[DE]|5F|7E)/i;

function readBasePath(servers: ContractNode): string {
  const server = servers.need('0', SERVERS);
  const address = server
    .need('url')
    .text()
    .replaceAll(/\{([^{}]+)\}/g, (_, name: string) => server.need('variables').need(name).need('default').text());
  const url = URL.canParse(address, 'http://localhost') ? new URL(address, 'http://localhost') : undefined;
  if (!url || url.pathname === '/') return server.fail('the URL of the first server must have a path, such as /v1');
  if (url.search || url.hash)
    server.fail('the URL of a server has no query and no fragment; remove what follows its path');
  const path = url.pathname.replace(/\/$/, '');
  const written = path.replaceAll(/%[\dA-F]{2}/gi, '');
  const needless = ESCAPE_OF_UNRESERVED.exec(path)?.[0];
  if (needless !== undefined) server.need('url').fail(`write the character itself instead of "${needless}"`);
  const violation = /[{}]/.test(address) ? 'the URL of a server has a brace without a name' : pathViolation(written);
  return violation === undefined ? path : server.need('url').fail(violation);
}

function readOperations(root: ContractNode, basePath: string): Operation[] {
  const declared = pathsOf(root).flatMap((path) => operationsOf(path).map((node) => ({ path, node })));
  const operations = checkEach(declared, ({ path, node }) => ({
    node,
    operation: readOperation(root, basePath, path, node),
  }));
  const ids = new Set<string>();
  const shapes = new Set<string>();
  for (const { node, operation } of operations) {
    if (ids.has(operation.id))
      node.need('operationId').fail(`operationId "${operation.id}" is used twice; rename one of them`);
    ids.add(operation.id);
    const shape = `${operation.method} ${operation.path.replaceAll(/\{\w+\}/g, '{}')}`;
    if (shapes.has(shape)) node.failAtName('another path matches the same requests; remove one of them');
    shapes.add(shape);
  }
  return operations.map(({ operation }) => operation);
}
