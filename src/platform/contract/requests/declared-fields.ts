import type { Check } from '../schemas/check.js';
import { compileCheck } from '../schemas/compile-check.js';
import {
  alternativesOf,
  flaggedOf,
  isFlagged,
  isNullable,
  isOnlyNull,
  requiredOf,
  typeOf,
  withAlternatives,
  withParts,
} from '../schemas/schema-type.js';
import { taggedAlternatives } from '../schemas/union-check.js';
import type { ContractNode } from '../source/contract-node.js';
import { keywordsOf } from './keywords.js';
import { boundsOf, examplesOf, formatOf, type Limits, limitsOf, sizesOf, valuesOf } from './named-values.js';

/** A member of a body, or a parameter. */
export interface DeclaredField {
  /** `openapi.yaml:12:3` */
  readonly position: string;
  readonly isRequired: boolean;
  readonly isReadOnly: boolean;
  /** The keywords of its schema; undefined where that has several parts or alternatives. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** The types of its values besides null, in any part or alternative of its schema. */
  readonly types: readonly string[];
  /** The same for the items in its list. */
  readonly itemTypes: readonly string[];
  /** Whether it may be an integer that a JavaScript number rounds. Of a list, its items; of an object, its further members. */
  readonly exceedsNumber: boolean;
  /** Whether each text is a date or a time, by its format; of a list, its items. */
  readonly isTime: boolean;
  /** The values of its enumeration besides null. Of a list, its items. */
  readonly values: readonly unknown[];
  /** Its least and greatest value; for an excluded bound, one next to it. Of a list, its items. */
  readonly bounds: readonly unknown[];
  /** Of its texts, unless they may have several. Of a list, its items. */
  readonly format: unknown;
  /** Of its texts, in characters. Of a list, its items. */
  readonly lengths: Limits;
  /** Of its lists, in items. */
  readonly sizes: Limits;
  /** Numbers of which every value is a multiple. Of a list, its items. */
  readonly factors: readonly unknown[];
  /** The values that document it, and the items in its list. */
  readonly examples: readonly unknown[];
  readonly itemExamples: readonly unknown[];
  /** Its default: none or one, unless alternatives have different ones. */
  readonly defaults: readonly unknown[];
  /** Whether a value meets all that is declared of it. Only for the start: the first call compiles the schema. */
  readonly accepts: (value: unknown) => boolean;
  /** Whether null meets it. */
  readonly acceptsNull: () => boolean;
  /** The fields of its object, or of the objects in its list. Read on demand: a recursive schema has no end. */
  readonly inside: () => DeclaredFields;
}

export interface DeclaredFields {
  /** Of the schema that has them, or of the operation: `openapi.yaml:12:3` */
  readonly position: string;
  readonly named: ReadonlyMap<string, DeclaredField>;
  /** Members that must be sent, also those without a schema of their own. */
  readonly required?: ReadonlySet<string>;
  /** The value that has these members, or a list of them: the body. */
  readonly whole?: DeclaredField;
  /** Where members with other names are declared: `openapi.yaml:12:3`. */
  readonly others?: string;
  /** Of the objects in them. */
  readonly insideOthers?: () => DeclaredFields;
  /** Of each alternative, by the value of the property that tells them apart. */
  readonly tagged?: () => ReadonlyMap<string, DeclaredFields>;
  /** The name of that property. */
  readonly tag?: string;
}

export function bodyFields(operation: ContractNode): DeclaredFields {
  const body = operation.get('requestBody');
  if (!body) return { position: operation.position, named: new Map() };
  const schema = body.need('content').need('application/json').need('schema');
  const role = { isRequired: isFlagged(body, 'required'), isReadOnly: false, isAlone: true };
  return { ...membersOf([schema]), whole: fieldOf([schema], role) };
}

/** By name; those of headers in lower case. */
export function parameterFields(
  { position }: ContractNode,
  parameters: readonly ContractNode[],
  place: 'query' | 'path' | 'header' | 'cookie',
): DeclaredFields {
  const fields = parameters
    .filter((parameter) => parameter.need('in').value === place)
    .map((parameter) => {
      const isRequired = isFlagged(parameter, 'required');
      const schema = parameter.need('schema');
      const name = parameter.need('name').text();
      return [
        place === 'header' ? name.toLowerCase() : name,
        fieldOf([schema], { isRequired, isReadOnly: false, isAlone: true }),
      ] as const;
    });
  return { position, named: new Map(fields) };
}

/** The members of an object, or of the objects in a list, which all of these schemas describe. */
function membersOf(schemas: readonly ContractNode[]): DeclaredFields {
  const objects = schemas.map(itemsOf);
  const parts = objects.flatMap(withParts);
  const all = objects.flatMap(withAlternatives);
  const required = new Set(objects.flatMap(requiredOf));
  const readOnly = new Set(objects.flatMap((object) => flaggedOf(object, 'readOnly')));
  const properties = all.flatMap((part) => part.get('properties')?.children() ?? []);
  const ofParts = new Set(parts.flatMap((part) => part.get('properties')?.children() ?? []).map(({ key }) => key));
  const fields = properties.map((property) => {
    const { key } = property;
    const same = properties.filter((other) => other.key === key);
    const isReadOnly = readOnly.has(key) || isFlagged(property, 'readOnly');
    const isAlone = ofParts.has(key) && same.length === 1;
    return [key, fieldOf(same, { isRequired: required.has(key) && !isReadOnly, isReadOnly, isAlone })] as const;
  });
  const others = all.map((part) => part.get('additionalProperties')).find((part) => part && part.value !== false);
  const union = all.find((part) => part.get('discriminator'));
  return {
    position: schemas.at(-1)!.position, // never empty
    named: new Map(fields),
    required,
    others: others?.position,
    ...(typeof others?.value === 'object' && { insideOthers: () => membersOf([others]) }),
    ...(union && { tag: union.need('discriminator').need('propertyName').text(), tagged: () => taggedFields(union) }),
  };
}

function taggedFields(union: ContractNode): ReadonlyMap<string, DeclaredFields> {
  const alternatives = taggedAlternatives(union, union.get('oneOf') ? 'oneOf' : 'anyOf');
  return new Map([...alternatives].map(([tag, alternative]) => [tag, membersOf([alternative])]));
}

/** The schema of the items in a list, or in a list of lists, also of one that may be null; another schema itself. */
function itemsOf(schema: ContractNode): ContractNode {
  const items = schema.get('items');
  if (items) return itemsOf(items);
  if (schema.get('discriminator')) return schema;
  const [only, ...others] = alternativesOf(schema);
  return only && others.length === 0 ? itemsOf(only) : schema;
}

interface Role {
  readonly isRequired: boolean;
  readonly isReadOnly: boolean;
  /** Whether it is all that is declared of the field. */
  readonly isAlone: boolean;
}

/** `schemas` are all that is declared of it. */
function fieldOf(schemas: readonly ContractNode[], { isRequired, isReadOnly, isAlone }: Role): DeclaredField {
  // Not empty.
  const schema = schemas.at(-1)!;
  let checks: readonly Check[] | undefined;
  const accepts = (value: unknown): boolean => {
    checks ??= schemas.map((one) => compileCheck(one, 'request'));
    return checks.every((check) => check.isValid(value));
  };
  const types = typesOf(schemas);
  const items = schemas.flatMap(withAlternatives).flatMap((one) => one.get('items') ?? []);
  const itemTypes = typesOf(items);
  const alternatives = [...schemas, ...items].flatMap(withAlternatives);
  return {
    position: schema.position,
    isRequired,
    isReadOnly,
    schema: isAlone ? keywordsOf(schema) : undefined,
    types,
    itemTypes,
    exceedsNumber: schemas.every(exceedsNumber),
    isTime: schemas.some(isTime),
    values: valuesOf(alternatives, ['const', 'enum']),
    bounds: boundsOf(alternatives, [...types, ...itemTypes].includes('integer')),
    format: formatOf(items.length > 0 ? items : schemas),
    lengths: limitsOf(items.length > 0 ? items : schemas, 'minLength', 'maxLength'),
    sizes: sizesOf(schemas),
    factors: valuesOf(alternatives, ['multipleOf']),
    examples: examplesOf(schemas),
    itemExamples: examplesOf(items),
    defaults: schemas.flatMap((one) => one.get('default') ?? []).map(({ value }) => value),
    accepts,
    acceptsNull: () => schemas.flatMap(withAlternatives).some(namesNull) && accepts(null),
    inside: () => membersOf(schemas),
  };
}

function typesOf(schemas: readonly ContractNode[]): string[] {
  const typed = schemas
    .flatMap(withAlternatives)
    .filter((schema) => [schema.get('type')?.value].flat().some((type) => type !== undefined && type !== 'null'))
    .filter((schema) => !isOnlyNull(schema));
  return [...new Set(typed.map(typeOf))];
}

function namesNull(schema: ContractNode): boolean {
  return isNullable(schema) || schema.get('type')?.value === 'null';
}

/** Of a list, its items; of an object, its further members. */
function exceedsNumber(schema: ContractNode): boolean {
  const inner = innerOf(schema);
  if (inner) return exceedsNumber(inner);
  const parts = schema
    .get('allOf')
    ?.children()
    .filter((part) => isInteger(part) || innerOf(part));
  if (parts) return parts.length > 0 && parts.every(exceedsNumber);
  const alternatives = ['oneOf', 'anyOf'].flatMap((keyword) => schema.get(keyword)?.children() ?? []);
  if (alternatives.length > 0) return alternatives.some(exceedsNumber);
  if (!isInteger(schema) || schema.get('format')?.value === 'int32') return false;
  if (schema.get('enum') || schema.get('const')) return false;
  const boundOf = (...keywords: string[]) =>
    keywords.map((keyword) => schema.get(keyword)?.value).find((value) => isNumber(value)) as
      number | bigint | undefined;
  const lower = boundOf('minimum', 'exclusiveMinimum') ?? -Infinity;
  const upper = boundOf('maximum', 'exclusiveMaximum') ?? Infinity;
  return lower < Number.MIN_SAFE_INTEGER || upper > Number.MAX_SAFE_INTEGER;
}

/** The schema of the items in a list, or of the further members of an object. */
function innerOf(schema: ContractNode): ContractNode | undefined {
  const others = schema.get('additionalProperties');
  return schema.get('items') ?? (typeof others?.value === 'object' ? others : undefined);
}

const TIMES = new Set<unknown>(['date', 'date-time']);

function isTime(schema: ContractNode): boolean {
  const items = schema.get('items');
  if (items) return isTime(items);
  const alternatives = ['oneOf', 'anyOf'].flatMap((keyword) => schema.get(keyword)?.children() ?? []);
  if (alternatives.length > 0) return alternatives.every((one) => !typesOf([one]).includes('string') || isTime(one));
  return withParts(schema).some((part) => TIMES.has(part.get('format')?.value));
}

function isInteger(schema: ContractNode): boolean {
  return schema.get('type') !== undefined && typeOf(schema) === 'integer';
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}
