import { checkEach } from '../source/check-each.js';
import { compileCheck } from '../schemas/compile-check.js';
import { defaultOf, freshDefault } from '../schemas/object-members.js';
import type { ContractNode } from '../source/contract-node.js';
import { type Parameter, readParameter } from './parameter.js';
import { parameterCheck, type ParameterCheck } from './parameter-check.js';
import type { RequestValues } from './request-values.js';

/** Checks the declared parts of a request. Each check returns a sentence per violation. */
export interface RequestCheck {
  /** Absent for an operation whose path cannot be invalid. */
  readonly path?: (request: RequestValues) => readonly string[];
  /**
   * Checks query, headers, cookies and body. Puts the values that were read, and defaults, into the request. Absent for
   * an operation without any of them.
   */
  readonly rest?: (request: RequestValues) => readonly string[];
}

const NONE: readonly string[] = [];

/** `parameters` are those of the path and of the operation itself. */
export function compileRequestCheck(parameters: readonly ContractNode[], body: ContractNode | undefined): RequestCheck {
  const declared = checkEach(parameters, readParameter);
  declared.forEach((parameter, index) => {
    const owner = declared.find((other) => takesFrom(other, parameter));
    if (!owner) return;
    // Both lists have the same order.
    const name = parameters[index]!.need('name');
    name.fail(`it is also a member of the parameter "${owner.name}"; rename one of them`);
  });
  const coding = body && declared.findIndex(isContentEncoding);
  if (coding !== undefined && coding >= 0)
    parameters[coding]?.need('name').fail('a body is read without a Content-Encoding; remove the parameter');
  const inPath = declared.filter(({ place, isAnyText }) => place === 'path' && !isAnyText).map(parameterCheck);
  const others = declared.filter(({ place }) => place !== 'path').map(parameterCheck);
  const bodyChecks = body ? [bodyCheck(body)] : [];
  return {
    ...(inPath.length > 0 && { path: runner(inPath) }),
    ...(others.length + bodyChecks.length > 0 && { rest: runner([...others, ...bodyChecks]) }),
  };
}

function isContentEncoding({ place, name }: Parameter): boolean {
  return place === 'header' && name.toLowerCase() === 'content-encoding';
}

/** Whether an object of the query would take the text of another parameter as that of its member: `f` and `f[a]`. */
function takesFrom({ name, type }: Parameter, other: Parameter): boolean {
  if (type !== 'object' || other.place !== 'query' || !other.name.startsWith(`${name}[`)) return false;
  return other.type === 'object' || other.name.endsWith(']');
}

function runner(checks: readonly ParameterCheck[]): (request: RequestValues) => readonly string[] {
  return (request) => {
    const sentences: string[] = [];
    for (const check of checks) check(request, sentences);
    return sentences.length > 0 ? listed(sentences) : NONE;
  };
}

/** Maximum sentences: a body of many wrong items must not make the response a hundred times as long as itself. */
const MAX_SENTENCES = 100;

function listed(sentences: readonly string[]): string[] {
  // Two parts of an `allOf` may demand the same.
  const all = [...new Set(sentences)];
  if (all.length <= MAX_SENTENCES) return all;
  return [...all.slice(0, MAX_SENTENCES), `${all.length - MAX_SENTENCES} more values break the contract`];
}

/** Does not check that a required body was sent: RequestGuard does. */
function bodyCheck(body: ContractNode): ParameterCheck {
  const schema = body.need('content').need('application/json').need('schema');
  const check = compileCheck(schema, 'request');
  const { isValid, explain, complete } = check;
  const fallback = defaultOf(schema, check);
  if (fallback !== undefined && body.get('required')?.value === true) {
    schema.need('default').failAtName('"default" of a required body has no effect; remove it');
  }
  return (request, sentences) => {
    if (request.body === undefined) request.body = freshDefault(fallback);
    if (request.body === undefined) return;
    if (!isValid(request.body)) explain(request.body, '', sentences);
    else if (complete) request.body = complete(request.body);
  };
}
