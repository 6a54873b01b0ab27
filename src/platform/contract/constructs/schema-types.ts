import { FORMATS } from '../schemas/formats.js';
import { emptyRange } from '../schemas/number-rule.js';
import { isFlagged, isNullable, typeOf } from '../schemas/schema-type.js';
import type { ContractNode } from '../source/contract-node.js';
import type { Walk } from './construct.js';

/** The keywords that concern one type only: beside another type they would have no effect. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  format: ['string', 'number', 'integer'],
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
  exclusiveMinimum: ['number', 'integer'],
  exclusiveMaximum: ['number', 'integer'],
  multipleOf: ['number', 'integer'],
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  enum: ['string', 'number', 'integer', 'boolean'],
  const: ['string', 'number', 'integer', 'boolean'],
  items: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
  uniqueItems: ['array'],
  properties: ['object'],
  required: ['object'],
  additionalProperties: ['object'],
  minProperties: ['object'],
  maxProperties: ['object'],
};

const UNIONS = ['oneOf', 'anyOf'];

/** Checks that the members of a schema fit its type, and one another. */
export function checkTypes(node: ContractNode, { version }: Walk): void {
  const isComposed = ['allOf', ...UNIONS].some((keyword) => node.get(keyword));
  if (!isComposed) {
    const isFurther = node.key === 'additionalProperties';
    node.need(
      'type',
      isFurther
        ? 'for members of any kind, write "true"'
        : 'name the type, because a value of any type is not supported',
    );
  }
  if (version === '3.0' && Array.isArray(node.get('type')?.value)) {
    node.need('type').fail('a list of types is not part of OpenAPI 3.0; use "nullable"');
  }
  if (version === '3.0' && node.get('type')?.value === 'null')
    node.need('type').fail(`the type null is not part of OpenAPI 3.0; write "${NULL[version]}"`);
  const type = node.get('type') && typeOf(node);
  for (const member of node.written()) {
    const types = Object.hasOwn(KEYWORDS, member.key) ? KEYWORDS[member.key] : undefined;
    // A part of `allOf` may leave the type to another part, but not its members.
    const isMembers = types?.includes('object') && node.get('allOf');
    if (isMembers && type === undefined && !isOnlyObject(node))
      member.failAtName(`"${member.key}" beside "allOf" needs "type: object", because no part demands an object`);
    if (types && !(type === undefined ? isMembers : types.includes(type))) {
      member.failAtName(
        type === undefined
          ? `"${member.key}" needs "type" beside it`
          : `"${member.key}" has no effect on the type ${type}; remove it`,
      );
    }
  }
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (isFlagged(node, flag) && !node.get(bound)) node.get(flag)?.failAtName(`"${flag}" needs "${bound}" beside it`);
  }
  if (type !== undefined) checkFormat(node, type);
  checkLimits(node);
  if (type === 'integer' || type === 'number') checkRange(node, type);
  if (type === 'array') node.need('items');
  const prototype = node
    .get('properties')
    ?.written()
    .find(({ key }) => key === '__proto__');
  prototype?.failAtName('a member cannot have the name "__proto__"; rename it');
  checkUnion(node);
  for (const part of partsOf(node)) checkPart(part);
  checkNull(node, type, version);
  if (node.get('readOnly')?.value === true && node.get('writeOnly')?.value === true) {
    node.get('readOnly')?.failAtName('a member cannot be both readOnly and writeOnly; remove one');
  }
}

/** Whether a schema accepts nothing but objects. `parents` are the places of the schemas of which it is a part. */
function isOnlyObject(node: ContractNode, parents: readonly string[] = []): boolean {
  const place = node.path.join('/');
  // A schema that contains itself is refused.
  if (parents.includes(place)) return true;
  if (node.get('type')) return typeOf(node) === 'object' && !isNullable(node);
  const parts = (keyword: string) =>
    node
      .get(keyword)
      ?.children()
      .map((part) => isOnlyObject(part, [...parents, place])) ?? [];
  const alternatives = UNIONS.flatMap(parts);
  return parts('allOf').includes(true) || (alternatives.length > 0 && !alternatives.includes(false));
}

function checkFormat(node: ContractNode, type: string): void {
  const format = node.get('format');
  if (!format) return;
  const known = Object.keys(FORMATS[type] ?? {});
  if (!known.includes(format.text())) {
    format.fail(`the format "${format.text()}" of the type ${type} is not supported; supported: ${known.join(', ')}`);
  }
}

const LIMITS = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** No value could meet the schema. */
function checkLimits(node: ContractNode): void {
  for (const [least, most] of LIMITS) {
    const isEmpty = Number(node.get(least)?.value ?? 0) > Number(node.get(most)?.value ?? Infinity);
    if (isEmpty) node.get(least)?.failAtName(`"${least}" must not be above "${most}"`);
  }
}

function checkRange(node: ContractNode, type: 'integer' | 'number'): void {
  const range = emptyRange(node, type);
  if (range !== undefined) node.fail(`no ${type} is${range}; correct the bounds`);
}

function partsOf(node: ContractNode): ContractNode[] {
  const lists = ['allOf', ...UNIONS].flatMap((keyword) => node.get(keyword)?.children() ?? []);
  const others = node.get('additionalProperties');
  return [...lists, ...[node.get('items') ?? []].flat(), ...(typeof others?.value === 'object' ? [others] : [])];
}

/** These say something about a member of an object, not about its value. */
const OF_MEMBERS = ['readOnly', 'writeOnly', 'default'];

function checkPart(part: ContractNode): void {
  const member = OF_MEMBERS.map((name) => part.get(name)).find((found) => found && found.value !== false);
  member?.failAtName(`"${member.key}" has an effect only on a member in "properties"; move it there`);
}

/** Checks a schema that is no member: a body, a parameter or a header. A request may have a default. */
export function checkWhole(node: ContractNode, mayHaveDefault: boolean): void {
  const names = mayHaveDefault ? OF_MEMBERS.filter((name) => name !== 'default') : OF_MEMBERS;
  const schema = node.target();
  const member = names.map((name) => schema.get(name)).find((found) => found && found.value !== false);
  if (!member) return;
  if (schema === node) member.failAtName(`"${member.key}" has no effect here; remove it`);
  node.failAtName(`"${member.key}" of the schema that this refers to has no effect here; refer to one without it`);
}

/** An alternative describes the whole value; what applies to all alternatives belongs to `allOf`. */
function checkUnion(node: ContractNode): void {
  const union = UNIONS.find((keyword) => node.get(keyword));
  const discriminator = node.written().find(({ key }) => key === 'discriminator');
  if (!union) {
    discriminator?.failAtName('"discriminator" needs "oneOf" or "anyOf" beside it');
    return;
  }
  const beside = node
    .written()
    .find(
      ({ key }) =>
        Object.hasOwn(KEYWORDS, key) || ['allOf', 'type', ...UNIONS].some((one) => one === key && one !== union),
    );
  beside?.failAtName(`"${beside.key}" beside "${union}" is not supported; put both into "allOf"`);
}

const NULL = {
  '3.0': '{ type: string, nullable: true, enum: [null] }',
  '3.1': "{ type: 'null' }",
};

function checkNull(node: ContractNode, type: string | undefined, version: Walk['version']): void {
  const union = UNIONS.find((keyword) => node.get(keyword));
  const forReference = union
    ? `; add "${NULL[version]}" to "${union}"`
    : `; for a reference that may be null, write "oneOf" with it and "${NULL[version]}"`;
  if (isFlagged(node, 'nullable') && type === undefined)
    node.need('nullable').failAtName(`"nullable" needs "type" beside it${forReference}`);
  if (isNullable(node) && node.get('allOf')) node.fail(`a schema with "allOf" cannot be null${forReference}`);
  const values = node.get('enum')?.written() ?? node.written().filter(({ key }) => key === 'const');
  if (node.get('enum') && values.length === 0) node.get('enum')?.fail('"enum" must not be empty');
  for (const value of values) {
    if (value.value !== null && !fits(value.value, type))
      value.fail(`the value is not of the type ${type}; list values of that type`);
  }
  if (type === 'integer') for (const value of values) checkDigits(value);
  if (!node.get('enum')) return;
  const hasNull = values.some(({ value }) => value === null);
  if (hasNull !== isNullable(node))
    node.get('enum')?.fail('"enum" must list null if the value may be null, and only then');
}

/** YAML reads `1e20` as a double, but requests have a bigint there, which is never equal to a double. */
function checkDigits(integer: ContractNode): void {
  if (Number.isInteger(integer.value) && !Number.isSafeInteger(integer.value))
    integer.fail('write all digits of an integer beyond 2^53, without exponent and fraction');
}

function fits(value: unknown, type: string | undefined): boolean {
  if (type === 'integer') return typeof value === 'bigint' || Number.isInteger(value);
  if (type === 'number') return typeof value === 'bigint' || typeof value === 'number';
  return typeof value === type;
}
