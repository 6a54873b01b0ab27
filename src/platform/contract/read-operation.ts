import type { Operation, RequestBody } from './contract.js';
import { parameterNames } from './path-template.js';
import { readDeprecation } from './read-deprecation.js';
import { takesIdempotencyKey } from './read-idempotency.js';
import { bodyFields, parameterFields } from './requests/declared-fields.js';
import { compileRequestCheck } from './requests/request-check.js';
import { checkOwnErrors } from './own-errors.js';
import { mediaTypesToChoose } from './responses/media-types.js';
import { readResponses } from './responses/read-responses.js';
import type { ContractNode } from './source/contract-node.js';

export function readOperation(root: ContractNode, basePath: string, path: ContractNode, node: ContractNode): Operation {
  const parameters = parametersOf(path, node);
  const body = node.get('requestBody');
  const responses = readResponses(node.need('responses'));
  const scheme = schemeOf(root, node);
  const takesKey = takesIdempotencyKey(node, parameters, scheme !== undefined);
  const operation = {
    id: node.need('operationId').text(),
    position: node.position,
    method: node.key.toUpperCase(),
    path: basePath + path.key,
    scheme,
    requestBody: body && readRequestBody(body),
    mediaTypes: mediaTypesToChoose(node.need('responses'), responses),
    check: compileRequestCheck(parameters, body),
    takesIdempotencyKey: takesKey,
    bodyFields: bodyFields(node),
    queryFields: parameterFields(node, parameters, 'query'),
    pathFields: parameterFields(node, parameters, 'path'),
    headerFields: parameterFields(node, parameters, 'header'),
    cookieFields: parameterFields(node, parameters, 'cookie'),
    responses,
    deprecation: node.get('deprecated')?.value === true ? readDeprecation(root, basePath, node) : undefined,
  };
  checkOwnErrors(node.need('responses'), operation);
  return operation;
}

/** The parameters of the path and of the operation, which replaces those with the same name and place. */
function parametersOf(path: ContractNode, node: ContractNode): ContractNode[] {
  const parameters = new Map<string, ContractNode>();
  for (const level of [path, node]) {
    const own = new Set<string>();
    for (const parameter of level.get('parameters')?.children() ?? []) {
      const name = parameter.need('name').text();
      const place = parameter.need('in').text();
      // Case does not matter in the name of a header.
      const id = `${place} ${place === 'header' ? name.toLowerCase() : name}`;
      if (own.has(id)) parameter.need('name').fail(`the parameter "${name}" is declared twice; remove one of them`);
      own.add(id);
      parameters.set(id, parameter);
    }
  }
  const inPath = parameterNames(path.key);
  for (const name of inPath) {
    if (!parameters.has(`path ${name}`)) node.fail(`the path parameter "${name}" is not declared`);
  }
  for (const [id, parameter] of parameters) {
    if (id.startsWith('path ') && !inPath.includes(id.slice(5))) {
      parameter.need('name').fail(`the path ${path.key} has no parameter "${id.slice(5)}"; remove it`);
    }
  }
  return [...parameters.values()];
}

const SECURITY =
  'name the scheme of all operations, such as "security: [{ apiKey: [] }]", or write "security: []" for none';

/** Only `security: []` makes an operation public. */
function schemeOf(root: ContractNode, node: ContractNode): string | undefined {
  const [requirement] = (node.get('security') ?? root.need('security', SECURITY)).children();
  const [scheme] = requirement?.children() ?? [];
  return scheme && root.need('components').need('securitySchemes').need(scheme.key).key;
}

function readRequestBody(body: ContractNode): RequestBody {
  const mediaTypes = body.need('content').children();
  return { isRequired: body.get('required')?.value === true, mediaTypes: mediaTypes.map(({ key }) => key) };
}
