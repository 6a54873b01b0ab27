import type { ContractNode } from '../source/contract-node.js';

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);

/** The type without the `null` that OpenAPI 3.1 lists beside it. */
export function typeOf(schema: ContractNode): string {
  const type = schema.need('type');
  const types = Array.isArray(type.value) ? type.children().map((item) => item.text()) : [type.text()];
  if (types.length === 0) type.fail('"type" must name a type');
  const [only = 'null', ...others] = types.filter((one) => one !== 'null');
  if (others.length > 0) type.fail('several types are not supported; use "oneOf"');
  if (!TYPES.has(only)) type.fail(`the type "${only}" is not supported`);
  return only;
}

export function isNullable(schema: ContractNode): boolean {
  const type = schema.get('type')?.value;
  return schema.get('nullable')?.value === true || [type].flat().includes('null');
}

/** Whether a schema is for null alone, also as `enum: [null]`: the type beside that says nothing. */
export function isOnlyNull(schema: ContractNode): boolean {
  if (schema.get('type') && typeOf(schema) === 'null') return true;
  const listed = schema.get('const') ? [schema.need('const')] : schema.get('enum')?.children();
  return listed?.every(({ value }) => value === null) ?? false;
}

export function isFlagged(schema: ContractNode, flag: string): boolean {
  return schema.get(flag)?.value === true;
}

const SCALARS = new Set(['string', 'number', 'integer', 'boolean', 'null']);

export function isScalar(schema: ContractNode): boolean {
  return schema.get('type') !== undefined && SCALARS.has(typeOf(schema));
}

/** Whether no value of a schema is an object or a list. */
export function isScalarOnly(schema: ContractNode): boolean {
  const typed = withAlternatives(schema).filter((part) => part.get('type'));
  return typed.length > 0 && typed.every(isScalar);
}

/** Whether the contract says that an object has no members. */
export function isAlwaysEmpty(schema: ContractNode): boolean {
  const isClosed = schema.get('additionalProperties')?.value === false;
  const hasMembers = (schema.get('properties')?.children() ?? []).length > 0;
  return schema.get('maxProperties')?.value === 0 || (isClosed && !hasMembers);
}

/** A schema and the parts of its `allOf`, which describe the same value. */
export function withParts(schema: ContractNode): ContractNode[] {
  return [schema, ...(schema.get('allOf')?.children() ?? []).flatMap(withParts)];
}

/** The alternatives of a schema besides those for null alone. */
export function alternativesOf(schema: ContractNode): ContractNode[] {
  const alternatives = ['oneOf', 'anyOf'].flatMap((keyword) => schema.get(keyword)?.children() ?? []);
  return alternatives.filter((one) => !isOnlyNull(one));
}

/** A schema, its parts, and its alternative where there is only one: all describe each value but null. */
export function withSureParts(schema: ContractNode): ContractNode[] {
  const [only, ...others] = alternativesOf(schema);
  const sure = only && others.length === 0 ? [only] : [];
  return [schema, ...[...(schema.get('allOf')?.children() ?? []), ...sure].flatMap(withSureParts)];
}

/** A schema, its parts and its alternatives: all that may describe a value. */
export function withAlternatives(schema: ContractNode): ContractNode[] {
  const composed = ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) => schema.get(keyword)?.children() ?? []);
  return [schema, ...composed.flatMap(withAlternatives)];
}

/** Refuses a schema that is a part or alternative of itself; `parents` are the places of the schemas that contain it. */
export function assertFinite(schema: ContractNode, parents: readonly string[]): void {
  const place = schema.path.join('/');
  if (parents.includes(place)) schema.fail('recursive schemas are not supported');
  const composed = ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) => schema.get(keyword)?.children() ?? []);
  for (const part of composed) assertFinite(part, [...parents, place]);
}

/** The members that a schema, one of its parts or each of its alternatives requires. */
export function requiredOf(schema: ContractNode): string[] {
  return namesIn(schema, (one) => (one.get('required')?.children() ?? []).map((name) => name.text()));
}

/** The members that a schema, one of its parts or each of its alternatives declares with this flag. */
export function flaggedOf(schema: ContractNode, flag: 'readOnly' | 'writeOnly'): string[] {
  const isMarked = (property: ContractNode) => isFlagged(property, flag);
  return namesIn(schema, (one) => (one.get('properties')?.children() ?? []).filter(isMarked).map(({ key }) => key));
}

function namesIn(schema: ContractNode, ownOf: (schema: ContractNode) => string[]): string[] {
  const ofParts = schema.get('allOf')?.children() ?? [];
  const ofAlternatives = ['oneOf', 'anyOf'].flatMap((keyword) => {
    // Null has no members.
    const alternatives = (schema.get(keyword)?.children() ?? []).filter((one) => !isOnlyNull(one));
    const [first = [], ...others] = alternatives.map((one) => namesIn(one, ownOf));
    return first.filter((name) => others.every((other) => other.includes(name)));
  });
  return [...ownOf(schema), ...ofParts.flatMap((part) => namesIn(part, ownOf)), ...ofAlternatives];
}
