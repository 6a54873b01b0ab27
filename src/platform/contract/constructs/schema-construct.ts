import type { ContractNode } from '../source/contract-node.js';
import {
  type Construct,
  documentation,
  flag,
  listOf,
  mapOf,
  object,
  only30,
  refused,
  type Rule,
  since31,
  text,
} from './construct.js';
import { checkTypes } from './schema-types.js';
import { needlessEscape } from './needless-escape.js';

/** A schema, or a reference to one. */
export const schema: Rule = (node, walk) => {
  if (typeof node.value === 'boolean') node.fail('a schema that is true or false is not supported; describe the value');
  object(() => CONSTRUCT)(node, walk);
};

const count: Rule = (node) => {
  if (!Number.isSafeInteger(node.value) || (node.value as number) < 0)
    node.fail(`"${node.key}" must be an integer from 0`);
};

/** YAML has `.inf` and `.nan`; JSON does not. */
export const isNumber = (value: unknown): boolean => typeof value === 'bigint' || Number.isFinite(value);

const number: Rule = (node) => {
  if (!isNumber(node.value)) node.fail(`"${node.key}" must be a number`);
};

/** A flag beside the bound in OpenAPI 3.0, a bound of its own in 3.1. */
const exclusiveBound: Rule = (node, walk) => (walk.version === '3.0' ? flag : number)(node, walk);

const multipleOf: Rule = (node, walk) => {
  number(node, walk);
  if ((node.value as number) <= 0) node.fail('"multipleOf" must be above 0');
};

const pattern: Rule = (node) => {
  try {
    RegExp(node.text(), 'u');
  } catch {
    const needless = isExpression(node.text()) ? needlessEscape(node.text()) : undefined;
    const advice = needless === undefined ? '' : ` with the flag "u"; remove the backslash from "${needless}"`;
    node.fail(`"pattern" must be a regular expression of ECMAScript${advice}`);
  }
};

/** Without the flag "u". */
function isExpression(source: string): boolean {
  try {
    return RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}

const additionalProperties: Rule = (node, walk) => {
  if (typeof node.value !== 'boolean') schema(node, walk);
};

const alternatives: Rule = (node, walk) => {
  listOf(schema)(node, walk);
  if (node.written().length === 0) node.fail(`"${node.key}" must not be empty`);
};

const discriminator: Construct = {
  name: 'a discriminator',
  members: { propertyName: text, mapping: mapOf(text) },
};

/** Keywords of OpenAPI 3.1 that are not supported, with what to do instead. */
const UNSUPPORTED: Construct['members'] = Object.fromEntries(
  [
    ['use "oneOf"', 'if', 'then', 'else'],
    ['describe all items with "items"', 'prefixItems', 'contains', 'minContains', 'maxContains', 'unevaluatedItems'],
    [
      'describe the members in "properties"',
      'patternProperties',
      'propertyNames',
      'dependentRequired',
      'dependentSchemas',
      'unevaluatedProperties',
    ],
    ['use "format"', 'contentEncoding', 'contentMediaType', 'contentSchema'],
    [
      'refer to a place in "components"',
      '$defs',
      '$id',
      '$schema',
      '$anchor',
      '$dynamicAnchor',
      '$dynamicRef',
      '$vocabulary',
    ],
  ].flatMap(([advice = '', ...keywords]) => keywords.map((keyword) => [keyword, since31(refused(advice))])),
);

const CONSTRUCT: Construct = {
  name: 'a schema',
  whole: (node: ContractNode, walk) => checkTypes(node, walk),
  members: {
    type: documentation,
    nullable: only30(flag, 'write "type: [..., \'null\']"'),
    enum: listOf(documentation),
    const: since31(documentation),
    default: documentation,
    format: text,
    minimum: number,
    maximum: number,
    exclusiveMinimum: exclusiveBound,
    exclusiveMaximum: exclusiveBound,
    multipleOf,
    minLength: count,
    maxLength: count,
    pattern,
    items: schema,
    minItems: count,
    maxItems: count,
    uniqueItems: flag,
    properties: mapOf(schema),
    required: listOf(text),
    additionalProperties,
    minProperties: count,
    maxProperties: count,
    allOf: alternatives,
    oneOf: alternatives,
    anyOf: alternatives,
    discriminator: object(() => discriminator),
    readOnly: flag,
    writeOnly: flag,
    title: documentation,
    description: documentation,
    example: documentation,
    examples: since31(documentation),
    externalDocs: documentation,
    deprecated: flag,
    $comment: since31(documentation),
    not: refused('describe what is allowed'),
    xml: refused('only JSON is written; remove it'),
    ...UNSUPPORTED,
  },
};
