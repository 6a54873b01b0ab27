import type { Contract, Deprecation, Operation, RequestBody, Responses } from './contract.js';
import { ContractNode } from './contract-source.js';
import { compileSerialiser } from './serialiser.js';

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch']);

/** Reads the contract once, at start. Throws a StartError with file, line and reason when it cannot be kept. */
export function readContract(file: string): Contract {
  const { bytes, root } = ContractNode.read(file);
  if (!/^3\.[01]\./.test(root.need('openapi').text())) root.need('openapi').fail('"openapi" must be 3.0 or 3.1');
  const basePath = readBasePath(root.need('servers'));
  return {
    bytes,
    document: root.value as object,
    basePath,
    operations: readOperations(root, basePath),
    protocolResponses: readResponses(root.need('x-protocol-responses')),
  };
}

function readBasePath(servers: ContractNode): string {
  const server = servers.need('0');
  const address = server
    .need('url')
    .text()
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => server.need('variables').need(name).need('default').text());
  const path = new URL(address, 'http://localhost').pathname.replace(/\/$/, '');
  return path === '' ? server.fail('the address of the first server must have a path, such as /v1') : path;
}

function readOperations(root: ContractNode, basePath: string): Operation[] {
  const operations = root
    .need('paths')
    .children()
    .flatMap((path) =>
      path
        .children()
        .filter(({ key }) => METHODS.has(key))
        .map((node) => ({ node, operation: readOperation(root, basePath, path, node) })),
    );
  const ids = new Set<string>();
  for (const { node, operation } of operations) {
    if (ids.has(operation.id)) node.need('operationId').fail(`operationId "${operation.id}" is used twice`);
    ids.add(operation.id);
  }
  return operations.map(({ operation }) => operation);
}

function readOperation(root: ContractNode, basePath: string, path: ContractNode, node: ContractNode): Operation {
  checkPathParameters(path, node);
  const body = node.get('requestBody');
  return {
    id: node.need('operationId').text(),
    method: node.key.toUpperCase(),
    path: basePath + path.key,
    isSecured: isSecured(root, node),
    requestBody: body && readRequestBody(body),
    responses: readResponses(node.need('responses')),
    deprecation: node.get('deprecated')?.value === true ? readDeprecation(root, basePath, node) : undefined,
  };
}

function checkPathParameters(path: ContractNode, node: ContractNode): void {
  const parameters = [path, node].flatMap((place) => place.get('parameters')?.children() ?? []);
  const inPath = parameters.filter((parameter) => parameter.need('in').text() === 'path');
  const declared = new Set(inPath.map((parameter) => parameter.need('name').text()));
  for (const [, name] of path.key.matchAll(/\{(\w+)\}/g)) {
    if (!declared.has(name!)) node.fail(`the path parameter "${name}" is not declared`);
  }
}

/** An operation is open only when it says so: `security: []`. */
function isSecured(root: ContractNode, node: ContractNode): boolean {
  const requirements = (node.get('security') ?? root.need('security')).children();
  for (const name of requirements.flatMap((requirement) => requirement.children())) {
    const scheme = root.need('components').need('securitySchemes').need(name.key);
    if (scheme.need('type').value !== 'http' || scheme.need('scheme').value !== 'bearer') {
      scheme.fail('only HTTP bearer authentication is implemented');
    }
  }
  return requirements.length > 0;
}

function readRequestBody(body: ContractNode): RequestBody {
  const mediaTypes = body.need('content').children();
  for (const mediaType of mediaTypes) {
    if (mediaType.key !== 'application/json') mediaType.fail('only application/json can be read');
  }
  return { isRequired: body.get('required')?.value === true, mediaTypes: mediaTypes.map(({ key }) => key) };
}

function readResponses(responses: ContractNode): Responses {
  return new Map(
    Object.keys(responses.value as object).map((status) => {
      if (!/^[1-5]\d\d$/.test(status))
        responses.fail(`"${status}" is not a status; ranges and "default" hide what is answered`);
      const json = responses.need(status).get('content')?.get('application/json');
      return [Number(status), { serialise: json && compileSerialiser(json.need('schema')) }];
    }),
  );
}

function readDeprecation(root: ContractNode, basePath: string, node: ContractNode): Deprecation {
  const successor = node.get('x-successor');
  return {
    deprecatedAt: readDay(node.need('x-deprecated-at')),
    sunset: readDay(node.need('x-sunset')),
    successor: successor && basePath + pathOf(root, successor),
    documentation: node.get('externalDocs')?.need('url').text(),
  };
}

function readDay(node: ContractNode): Date {
  const day = new Date(node.text());
  return /^\d{4}-\d\d-\d\d$/.test(node.text()) && !Number.isNaN(day.getTime())
    ? day
    : node.fail(`"${node.key}" must be a day, such as 2030-12-05`);
}

function pathOf(root: ContractNode, operationId: ContractNode): string {
  const path = root
    .need('paths')
    .children()
    .find((item) =>
      item.children().some((node) => METHODS.has(node.key) && node.get('operationId')?.value === operationId.text()),
    );
  return path?.key ?? operationId.fail(`no operation is called "${operationId.text()}"`);
}
