import type { Contract, Deprecation, Operation, RequestBody, Responses } from './contract.js';
import { ContractNode } from './contract-source.js';
import { compileSerialiser } from './serialiser.js';

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch']);
/** The service derives its responses to these methods from the other operations. */
const DERIVED = new Set(['head', 'options', 'trace']);

/** Reads the contract once, at start. Throws a StartError with file, line and reason when it is not supported. */
export function readContract(file: string): Contract {
  const { bytes, root } = ContractNode.read(file);
  root.assertReferences();
  if (!/^3\.[01]\./.test(root.need('openapi').text())) root.need('openapi').fail('"openapi" must be 3.0 or 3.1');
  const basePath = readBasePath(root.need('servers'));
  const operations = readOperations(root, basePath);
  // Compiled only to prove that they are valid.
  readResponses(root.need('x-protocol-responses'));
  return { bytes, document: root.value as object, basePath, operations };
}

function readBasePath(servers: ContractNode): string {
  const server = servers.need('0');
  const address = server
    .need('url')
    .text()
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => server.need('variables').need(name).need('default').text());
  const path = URL.canParse(address, 'http://localhost') ? new URL(address, 'http://localhost').pathname : '';
  return /^\/?$/.test(path)
    ? server.fail('the URL of the first server must have a path, such as /v1')
    : path.replace(/\/$/, '');
}

function readOperations(root: ContractNode, basePath: string): Operation[] {
  const operations = root
    .need('paths')
    .children()
    .flatMap((path) =>
      path
        .children()
        .filter(isOperation)
        .map((node) => ({ node, operation: readOperation(root, basePath, path, node) })),
    );
  const ids = new Set<string>();
  for (const { node, operation } of operations) {
    if (ids.has(operation.id)) node.need('operationId').fail(`operationId "${operation.id}" is used twice`);
    ids.add(operation.id);
  }
  return operations.map(({ operation }) => operation);
}

function isOperation(node: ContractNode): boolean {
  if (DERIVED.has(node.key)) node.failAtName(`an operation cannot be declared for ${node.key.toUpperCase()}`);
  return METHODS.has(node.key);
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
    responses: readOperationResponses(node.need('responses')),
    deprecation: node.get('deprecated')?.value === true ? readDeprecation(root, basePath, node) : undefined,
  };
}

function checkPathParameters(path: ContractNode, node: ContractNode): void {
  const parameters = [path, node].flatMap((place) => place.get('parameters')?.children() ?? []);
  const inPath = parameters.filter((parameter) => parameter.need('in').text() === 'path');
  const declared = new Set(inPath.map((parameter) => parameter.need('name').text()));
  for (const [, name = ''] of path.key.matchAll(/\{(\w+)\}/g)) {
    if (!declared.has(name)) node.fail(`the path parameter "${name}" is not declared`);
  }
}

/** Only `security: []` makes an operation public. */
function isSecured(root: ContractNode, node: ContractNode): boolean {
  const requirements = (node.get('security') ?? root.need('security')).children();
  for (const name of requirements.flatMap((requirement) => requirement.children())) {
    const scheme = root.need('components').need('securitySchemes').need(name.key);
    if (scheme.need('type').value !== 'http' || scheme.need('scheme').value !== 'bearer') {
      scheme.fail('only HTTP bearer authentication is supported');
    }
  }
  return requirements.length > 0;
}

function readRequestBody(body: ContractNode): RequestBody {
  const mediaTypes = body.need('content').children();
  for (const mediaType of mediaTypes) {
    if (mediaType.key !== 'application/json') mediaType.failAtName('only application/json is supported');
  }
  return { isRequired: body.get('required')?.value === true, mediaTypes: mediaTypes.map(({ key }) => key) };
}

/** The platform sends these for any operation. */
const ALWAYS_NEEDED = [500, 503];

function readOperationResponses(node: ContractNode): Responses {
  const responses = readResponses(node);
  if (ALWAYS_NEEDED.every((status) => responses.has(status))) return responses;
  return node.failAtName('an operation must declare 500 and 503: it may fail, and the service may be stopping');
}

function readResponses(node: ContractNode): Responses {
  const responses = node.children();
  const names = responses.flatMap(headersOf);
  return new Map(
    responses.map((response) => {
      const status = response.key;
      if (!/^[1-5]\d\d$/.test(status))
        response.failAtName(`"${status}" is not a status; ranges and "default" are not supported`);
      const content = response.get('content');
      const json = content?.get('application/json');
      const own = new Set(headersOf(response));
      return [
        Number(status),
        {
          hasBody: content !== undefined,
          headersOfOthers: [...new Set(names)].filter((name) => !own.has(name)),
          serialise: json && compileSerialiser(json.need('schema')),
        },
      ];
    }),
  );
}

/** Their names, in lower case. */
function headersOf(response: ContractNode): string[] {
  const headers = response.get('headers')?.children() ?? [];
  return headers.map(({ key }) => key.toLowerCase());
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
  // V8 reads 30 February as 2 March.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(`${node.text()}T`)
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
  return path?.key ?? operationId.fail(`no operation has the operationId "${operationId.text()}"`);
}
