import { checkEach } from '../source/check-each.js';
import type { ContractNode } from '../source/contract-node.js';
import { checkExtension, checkExtensionOfReference } from './own-extensions.js';

export interface Walk {
  readonly version: '3.0' | '3.1';
  /** The places that were already checked: a reference may lead to its own parent. */
  readonly seen: Set<string>;
}

/** Checks the value of a member. Throws a StartError for anything that the service would not honour. */
export type Rule = (node: ContractNode, walk: Walk) => void;

/** One of OpenAPI's objects: each member that OpenAPI defines, and what the service makes of it. */
export interface Construct {
  /** With its article: `an operation`. */
  readonly name: string;
  readonly members: Readonly<Record<string, Rule>>;
  /** Checks that concern several members. */
  readonly whole?: Rule;
}

/** For a member that only people read. */
export const documentation: Rule = () => {};

export const text: Rule = (node) => void node.text();

export const flag: Rule = (node) => {
  if (typeof node.value !== 'boolean') node.fail(`"${node.key}" must be true or false`);
};

/** `advice` says what to do instead. */
export function refused(advice: string): Rule {
  return (node) => node.failAtName(`"${node.key}" is not supported; ${advice}`);
}

export function since31(rule: Rule): Rule {
  return (node, walk) => {
    if (walk.version === '3.0') node.failAtName(`"${node.key}" is not part of OpenAPI 3.0; remove it`);
    rule(node, walk);
  };
}

export function only30(rule: Rule, advice: string): Rule {
  return (node, walk) => {
    if (walk.version !== '3.0') node.failAtName(`"${node.key}" is not part of OpenAPI 3.1; ${advice}`);
    rule(node, walk);
  };
}

export function mapOf(rule: Rule): Rule {
  return (node, walk) => {
    if (Array.isArray(node.value)) node.fail(`"${node.key}" must be an object`);
    checkEach(node.written(), (member) => rule(member, walk));
  };
}

export function listOf(rule: Rule): Rule {
  return (node, walk) => {
    if (!Array.isArray(node.value)) node.fail(`"${node.key}" must be a list`);
    checkEach(node.written(), (item) => rule(item, walk));
  };
}

/** Reads the construct when it is first used: constructs contain one another. */
export function object(construct: () => Construct): Rule {
  return (node, walk) => {
    const { name, members, whole } = construct();
    const place = `${name} ${node.path.join('/')}`;
    if (walk.seen.has(place)) return undefined;
    walk.seen.add(place);
    const { value } = node;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return node.fail(`"${node.key}" must be an object`);
    }
    if (Object.hasOwn(value, '$ref')) {
      checkSiblings(node, name, walk);
      return object(construct)(node.target(), walk);
    }
    checkEach(node.written(), (member) => {
      if (isExtension(member, name)) return;
      const rule = Object.hasOwn(members, member.key) ? members[member.key] : undefined;
      if (rule) rule(member, walk);
      else member.failAtName(`"${member.key}" is not a member of ${name}; remove it, or let its name begin with "x-"`);
    });
    return whole?.(node, walk);
  };
}

/** Throws a StartError for an extension of ours that has no effect in this construct. */
export function isExtension(member: ContractNode, construct: string): boolean {
  if (!member.key.startsWith('x-')) return false;
  checkExtension(member, construct);
  return true;
}

const ANNOTATIONS = new Set(['$ref', 'description', 'summary']);

/** OpenAPI 3.0 ignores every member beside a reference; 3.1 gives some of them a meaning. */
function checkSiblings(node: ContractNode, construct: string, { version }: Walk): void {
  checkEach(node.written(), (member) => {
    checkExtensionOfReference(member);
    if (member.key === '$ref' || member.key.startsWith('x-')) return;
    if (version === '3.1' && ANNOTATIONS.has(member.key)) return;
    const place = construct === 'a schema' ? 'put the reference into "allOf"' : 'put it where the reference leads';
    member.failAtName(`"${member.key}" beside "$ref" is not supported; ${place}, or remove it`);
  });
}
