import type { Check } from '../schemas/check.js';
import { compileCheck } from '../schemas/compile-check.js';
import { defaultOf } from '../schemas/object-members.js';
import { isNullable, isOnlyNull, typeOf, withParts } from '../schemas/schema-type.js';
import type { ContractNode } from '../source/contract-node.js';
import { scalarReader } from '../../values/scalar-readers.js';

type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

/** A declared parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly place: ParameterPlace;
  readonly isRequired: boolean;
  readonly style: string;
  readonly explode: boolean;
  readonly type: string;
  readonly check: Check;
  /** Whether every text in a path is valid: it is decoded and well-formed already. */
  readonly isAnyText: boolean;
  /** Turns the text of a scalar, or of an item, into its value; text that it cannot read stays text. */
  readonly read: (text: string) => unknown;
  /** The readers of an object's members. */
  readonly members: ReadonlyMap<string, (text: string) => unknown>;
  readonly fallback: unknown;
}

/** The default comes first. */
const STYLES: Readonly<Record<ParameterPlace, readonly string[]>> = {
  path: ['simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

const TEXT_RULES = ['enum', 'const', 'format', 'minLength', 'maxLength', 'pattern', 'allOf'];

/** OpenAPI ignores parameters with these names: other parts of the contract declare them. */
export const RESERVED_HEADERS = new Set(['accept', 'authorization', 'content-type']);

export function readParameter(node: ContractNode): Parameter {
  const place = readPlace(node.need('in'));
  const name = node.need('name').text();
  if (name === '__proto__') node.need('name').fail('a parameter cannot have the name "__proto__"; rename it');
  const schema = node.need('schema');
  const type = parameterType(schema);
  const style = node.get('style')?.text() ?? STYLES[place][0]!; // each place has a style
  const explode = (node.get('explode')?.value ?? style === 'form') === true;
  const isRequired = node.get('required')?.value === true;
  if (place === 'path' && !isRequired) node.fail(`the path parameter "${name}" must have "required: true"`);
  if (place === 'header' && RESERVED_HEADERS.has(name.toLowerCase())) {
    node.need('name').fail(`the header ${name} cannot be a parameter; remove it`);
  }
  checkStyle(node, { place, style, explode, type });
  const check = compileCheck(schema, 'request');
  const items = type === 'array' ? itemsOf(schema) : schema;
  return {
    name,
    place,
    isRequired,
    style,
    explode,
    type,
    check,
    isAnyText: type === 'string' && !TEXT_RULES.some((keyword) => schema.get(keyword)),
    read: type === 'object' ? String : scalarReader(parameterType(items)),
    members: new Map(type === 'object' ? membersOf(schema) : []),
    fallback: readDefault(node, place, schema, check),
  };
}

function readPlace(node: ContractNode): ParameterPlace {
  const place = node.text();
  return Object.hasOwn(STYLES, place)
    ? (place as ParameterPlace)
    : node.fail(`"in" must be one of ${Object.keys(STYLES).join(', ')}`);
}

function checkStyle(
  node: ContractNode,
  { place, style, explode, type }: Pick<Parameter, 'place' | 'style' | 'explode' | 'type'>,
): void {
  if (!STYLES[place].includes(style))
    node
      .get('style')
      ?.fail(`the style "${style}" is not supported in the ${place}; supported: ${STYLES[place].join(', ')}`);
  if (type === 'object' && style !== 'deepObject')
    node.need('schema').fail('an object as a parameter must be in the query and have the style deepObject');
  if (type !== 'object' && style === 'deepObject')
    node.need('style').fail('the style deepObject needs a schema of the type object');
  if (type === 'array' && (place === 'path' || place === 'cookie'))
    node.need('schema').fail(`an array in the ${place} is not supported; use the query`);
  if (type !== 'array' && style.endsWith('Delimited'))
    node.need('style').fail(`the style ${style} needs a schema of the type array`);
  if (explode && style.endsWith('Delimited')) node.get('explode')?.fail(`the style ${style} needs "explode: false"`);
}

/** The type of a schema whose parts may be in `allOf`. */
function parameterType(schema: ContractNode): string {
  for (const keyword of ['oneOf', 'anyOf']) {
    const union = withParts(schema)
      .map((part) => part.get(keyword))
      .find((one) => one !== undefined);
    const hasNull = union?.children().some(isOnlyNull);
    union?.failAtName(
      hasNull
        ? `a parameter cannot be null; declare its type without "${keyword}"`
        : `"${keyword}" of a parameter is not supported; declare one type`,
    );
  }
  if (isNullable(schema)) schema.fail('a parameter cannot be null; leave it out instead');
  if (schema.get('type')) return typeOf(schema);
  const [part] = schema.need('allOf').children();
  return part ? parameterType(part) : typeOf(schema);
}

function itemsOf(schema: ContractNode): ContractNode {
  // A part of an `allOf` may have them.
  const items =
    withParts(schema)
      .find((part) => part.get('items'))
      ?.need('items') ?? schema.need('items');
  return ['array', 'object'].includes(parameterType(items))
    ? items.fail('the items of a parameter must be scalars')
    : items;
}

function membersOf(schema: ContractNode): [string, (text: string) => unknown][] {
  const others = schema.get('additionalProperties');
  if (typeof others?.value === 'object')
    others.failAtName('"additionalProperties" of a parameter must be true or false; declare its members');
  const ofParts = (schema.get('allOf')?.children() ?? []).flatMap(membersOf);
  const own = (schema.get('properties')?.children() ?? []).map((property) => {
    const type = parameterType(property);
    if (type === 'array' || type === 'object') property.fail('the members of a parameter must be scalars');
    return [property.key, scalarReader(type)] as [string, (text: string) => unknown];
  });
  return [...ofParts, ...own];
}

function readDefault(node: ContractNode, place: ParameterPlace, schema: ContractNode, check: Check): unknown {
  const fallback = defaultOf(schema, check);
  if (fallback === undefined) return undefined;
  if (place !== 'query')
    schema.get('default')?.failAtName(`"default" of a parameter in the ${place} is not supported; remove it`);
  if (node.get('required')?.value === true)
    schema.get('default')?.failAtName('"default" of a required parameter has no effect; remove it');
  return fallback;
}
