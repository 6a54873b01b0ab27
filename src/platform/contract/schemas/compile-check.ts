import { InexactNumber } from '../../values/json-reader.js';
import { doubleOf, listedDoubleOf } from '../../values/kept-numbers.js';
import type { ContractNode } from '../source/contract-node.js';
import { arrayCheck } from './array-check.js';
import { type Check, type Compile, type Direction, sentence, withDefaults } from './check.js';
import { numberRule } from './number-rule.js';
import { objectCheck } from './object-check.js';
import type { Scalar } from './scalar.js';
import { assertFinite, isNullable, isOnlyNull, typeOf } from './schema-type.js';
import { textRule } from './text-rule.js';
import { unionCheck } from './union-check.js';

/** Turns a schema of the contract, once at start, into a check. */
export function compileCheck(schema: ContractNode, direction: Direction): Check {
  return compileWithin(schema, direction, [], []);
}

/**
 * By the value of each schema that failed. After a fault, the rest of the contract is compiled too (`checkEach`): without
 * this, schemas that contain one another would be compiled once for each way through them.
 */
const failures: Readonly<Record<Direction, WeakMap<object, Error>>> = {
  request: new WeakMap(),
  response: new WeakMap(),
  'closed response': new WeakMap(),
};

/** Throws the same error again for a schema that has failed before. */
function failingOnce(schema: ContractNode, direction: Direction, compile: () => Check): Check {
  const whole = schema.value as object;
  const known = failures[direction].get(whole);
  if (known) throw known;
  try {
    return compile();
  } catch (error) {
    if (error instanceof Error) failures[direction].set(whole, error);
    throw error;
  }
}

/** `parents` are the places of the schemas that contain it; `wholes` those of them that describe the same value. */
function compileWithin(
  schema: ContractNode,
  direction: Direction,
  parents: readonly string[],
  wholes: readonly ContractNode[],
): Check {
  const place = schema.path.join('/');
  if (parents.includes(place)) schema.fail('recursive schemas are not supported');
  return failingOnce(schema, direction, () => {
    if (wholes.length === 0) assertFinite(schema, parents);
    const inner = [...parents, place];
    const same = [...wholes, schema];
    const compile: Compiler = {
      wholes: same,
      inside: (part, as = direction) => compileWithin(part, as, inner, []),
      part: (part, as = direction) => compileWithin(part, as, inner, same),
    };
    const check = schema.get('allOf') ? allCheck(schema, direction, compile) : ownCheck(schema, direction, compile);
    const acceptsNull = isNullable(schema) && !schema.get('enum') && !schema.get('const') && !isOnlyNull(schema);
    return withWording(schema, acceptsNull ? orNull(check) : check);
  });
}

interface Compiler {
  /** The schema and those of which it is a part: all of them describe the same value. */
  readonly wholes: readonly ContractNode[];
  /** Of a member or item. */
  readonly inside: Compile;
  /** Of a part or alternative. */
  readonly part: Compile;
}

function ownCheck(schema: ContractNode, direction: Direction, compile: Compiler): Check {
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    if (schema.get(keyword)) return unionCheck(schema, keyword, direction, compile.part);
  }
  const type = typeOf(schema);
  switch (type) {
    case 'object':
      return objectCheck(schema, direction, compile.inside, compile.wholes);
    case 'array':
      return arrayCheck(schema, direction, compile.inside);
    case 'string':
      return textCheck(valuesRule(schema, textRule(schema)), direction);
    case 'null':
      return scalarCheck({ demand: 'must be null', isValid: (value) => value === null });
    case 'boolean':
      return scalarCheck(
        valuesRule(schema, { demand: 'must be true or false', isValid: (value) => typeof value === 'boolean' }),
      );
    case 'integer':
      return scalarCheck(
        valuesRule(schema, numberRule(schema, type, direction === 'request' ? isReadInteger : undefined)),
      );
    default:
      return numberCheck(schema, direction);
  }
}

/**
 * The reader of JSON returns an integer beyond 2^53 as a bigint. A double beyond 2^53 comes from the `number` part of an
 * `allOf`, which converts only a bigint that the double keeps.
 */
function isReadInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value);
}

/** A schema with `allOf` may leave its type to a part. */
const OF_OBJECTS = ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'];

/** Whether a schema with `allOf` describes an object itself, beside its parts. */
export function isObjectBesideParts(schema: ContractNode): boolean {
  return schema.get('type') !== undefined || OF_OBJECTS.some((keyword) => schema.get(keyword));
}

/** A Date of a response is written as text. */
function textCheck(rule: Scalar, direction: Direction): Check {
  if (direction === 'request') return scalarCheck(rule);
  const isValid = (value: unknown) => rule.isValid(value instanceof Date ? value.toJSON() : value);
  return scalarCheck({ ...rule, isValid });
}

function completeBy(parts: readonly Check[]): (value: unknown) => unknown {
  const completions = parts.flatMap(({ complete }) => complete ?? []);
  return (value) => completions.reduce((completed, complete) => complete(completed), value);
}

/** The parts of an `allOf`, and what stands beside it. */
function allCheck(schema: ContractNode, direction: Direction, compile: Compiler): Check {
  const parts = schema
    .need('allOf')
    .children()
    .map((part) => compile.part(part));
  if (schema.get('type')) parts.push(ownCheck(schema, direction, compile));
  else if (isObjectBesideParts(schema)) parts.push(objectCheck(schema, direction, compile.inside, compile.wholes));
  const isEach = (value: unknown) => parts.every((part) => part.isValid(value));
  // The defaults of the other parts may change which alternatives of a part match.
  const filled = parts.flatMap((part) => {
    const others = parts.filter((other) => other !== part && other.complete);
    return direction === 'request' && others.length > 0 ? [{ part, fill: completeBy(others) }] : [];
  });
  return {
    isValid: (value) => isEach(value) && filled.every(({ part, fill }) => part.isValid(fill(value))),
    explain: (value, place, sentences) => {
      for (const part of parts) part.explain(value, place, sentences);
      if (!isEach(value)) return;
      for (const { part, fill } of filled) {
        const violations: string[] = [];
        part.explain(fill(value), place, violations);
        sentences.push(...violations.map(withDefaults));
      }
    },
    ...(parts.some(({ complete }) => complete) && { complete: completeBy(parts) }),
  };
}

/** The rule of `enum`, or of `const` as a list of one: its values must obey `rule`. Without either, `rule` itself. */
function valuesRule(schema: ContractNode, rule: Scalar, read = (value: unknown): unknown => value): Scalar {
  const only = schema.get('const');
  const listed = schema.get('enum')?.children();
  if (only && listed?.every(({ value }) => value !== only.value)) only.fail('"const" must be one of "enum"');
  const nodes = only ? [only] : listed;
  if (!nodes) return rule;
  const rounded = nodes.find(({ value }) => read(value) === undefined);
  rounded?.fail(`a number is a double, which cannot hold ${String(rounded.value)}; use the type integer`);
  const wrong = nodes.find(({ value }) => value !== null && !rule.isValid(read(value)));
  wrong?.fail(`the value breaks the rules beside it: it ${rule.demand}`);
  const values = nodes.map(({ value }) => read(value));
  const allowed = new Set(values);
  return {
    demand: `must be ${only ? '' : 'one of '}${values.map(String).join(', ')}`,
    // A database may read any integer as a bigint.
    isValid: (value) =>
      allowed.has(typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value),
  };
}

function scalarCheck({ isValid, demand }: Scalar): Check {
  return {
    isValid,
    explain: (value, place, sentences) => {
      if (!isValid(value)) sentences.push(sentence(place, demand));
    },
  };
}

/**
 * A number is a double in the code. The reader of JSON gives a bigint or an InexactNumber for what may come back as another
 * number; only the formats float and double declare that this is accepted. A response has each digit of a bigint.
 */
function numberCheck(schema: ContractNode, direction: Direction): Check {
  const mayRound = schema.get('format') !== undefined;
  const isListed = schema.get('enum') ?? schema.get('const');
  const doubleAs = isListed ? listedDoubleOf : doubleOf;
  const asNumber = (value: unknown): unknown => {
    if (value instanceof InexactNumber) return mayRound ? Number(value.text) : undefined;
    if (typeof value !== 'bigint') return value;
    return doubleAs(value) ?? (mayRound ? Number(value) : direction === 'request' ? undefined : value);
  };
  const rule = valuesRule(schema, numberRule(schema, 'number'), asNumber);
  const check = scalarCheck({ ...rule, isValid: (value) => rule.isValid(asNumber(value)) });
  return {
    ...check,
    explain: (value, place, sentences) => {
      const isRounded = !isListed && value !== undefined && asNumber(value) === undefined;
      if (isRounded) sentences.push(sentence(place, ROUNDED));
      // The rule would say that it must be a number, which it is.
      else if (!isListed && value instanceof InexactNumber && !Number.isFinite(asNumber(value)))
        sentences.push(sentence(place, 'must be a number that a double holds, of at most 1.8e308'));
      else check.explain(value, place, sentences);
    },
    complete: asNumber,
  };
}

const ROUNDED = 'must be a number that a double holds without rounding, such as one of at most 15 digits';

function orNull({ isValid, explain, complete }: Check): Check {
  return {
    isValid: (value) => value === null || isValid(value),
    explain: (value, place, sentences) => {
      if (value !== null) explain(value, place, sentences);
    },
    ...(complete && { complete: (value: unknown) => (value === null ? null : complete(value)) }),
  };
}

/** `x-demand` says in the contract's own words what a value must be. */
function withWording(schema: ContractNode, check: Check): Check {
  const demand = schema.get('x-demand')?.text();
  return demand === undefined ? check : { ...check, ...scalarCheck({ isValid: check.isValid, demand }) };
}
