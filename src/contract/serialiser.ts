import type { Serialiser } from './contract.js';
import type { ContractNode } from './contract-source.js';
import { writeJson } from './exact-json.js';

/** Writes a value as JSON text, or throws an Error that says what is wrong with it. */
type Write = (value: unknown) => string;

interface Member {
  readonly name: string;
  /** The name as it stands in JSON text, with its colon. */
  readonly prefix: string;
  readonly isRequired: boolean;
  readonly write: Write;
}

/**
 * Compiles a schema of the contract into a function that writes JSON text: exact integers, declared members only, in
 * the order of their declaration. A value that is not what the schema says is never bent into shape: an answer that
 * breaks the contract is a failure of the service, and shall be seen as one.
 */
export function compileSerialiser(schema: ContractNode): Serialiser {
  return compile(schema, []);
}

function compile(schema: ContractNode, within: readonly string[]): Write {
  const place = schema.path.join('/');
  if (within.includes(place)) schema.fail('a schema that contains itself cannot be compiled');
  const inside = [...within, place];
  const write = schema.get('allOf') ? compileObject(schema, inside) : compileType(schema, inside);
  return schema.get('nullable')?.value === true ? (value) => (value === null ? 'null' : write(value)) : write;
}

function compileType(schema: ContractNode, inside: readonly string[]): Write {
  const type = schema.need('type').text();
  switch (type) {
    case 'object':
      return compileObject(schema, inside);
    case 'array':
      return arrayWriter(compile(schema.need('items'), inside));
    case 'string':
      return schema.get('enum') ? enumWriter(schema.need('enum').children()) : writeText;
    case 'integer':
      return writeInteger;
    case 'number':
      return writeNumber;
    case 'boolean':
      return writeBoolean;
    default:
      return schema.need('type').fail(`a value of type "${type}" cannot be written`);
  }
}

function compileObject(schema: ContractNode, inside: readonly string[]): Write {
  const parts = [schema, ...(schema.get('allOf')?.children() ?? [])];
  for (const part of parts.slice(1)) if (part.get('allOf')) part.fail('"allOf" within "allOf" cannot be compiled');
  const required = new Set(parts.flatMap((part) => part.get('required')?.children() ?? []).map((name) => name.text()));
  const members = parts
    .flatMap((part) => part.get('properties')?.children() ?? [])
    .map((property) => ({
      name: property.key,
      prefix: `${JSON.stringify(property.key)}:`,
      isRequired: required.has(property.key),
      write: compile(property, inside),
    }));
  const others = schema.get('additionalProperties');
  if (others?.value === true) return mapWriter(members, writeJson);
  return typeof others?.value === 'object' ? mapWriter(members, compile(others, inside)) : objectWriter(members);
}

function objectWriter(members: readonly Member[]): Write {
  return (value) => {
    if (typeof value !== 'object' || value === null) throw notA('object', value);
    let text = '';
    for (const member of members) text += writeMember(member, (value as Record<string, unknown>)[member.name], text);
    return `{${text}}`;
  };
}

function mapWriter(members: readonly Member[], write: Write): Write {
  const writeDeclared = objectWriter(members);
  const declared = new Set(members.map(({ name }) => name));
  return (value) => {
    const fixed = writeDeclared(value).slice(1, -1);
    const rest = Object.entries(value as object)
      .filter(([name, item]) => !declared.has(name) && item !== undefined)
      .map(([name, item]) => `${JSON.stringify(name)}:${write(item)}`);
    return `{${[...(fixed ? [fixed] : []), ...rest].join(',')}}`;
  };
}

function writeMember({ name, prefix, isRequired, write }: Member, value: unknown, before: string): string {
  if (value === undefined) {
    if (isRequired) throw new Error(`"${name}" is missing`);
    return '';
  }
  return (before === '' ? prefix : `,${prefix}`) + write(value);
}

function arrayWriter(write: Write): Write {
  return (value) => {
    if (!Array.isArray(value)) throw notA('array', value);
    let text = '';
    for (const item of value) text += text === '' ? write(item) : `,${write(item)}`;
    return `[${text}]`;
  };
}

function enumWriter(values: readonly ContractNode[]): Write {
  const texts = new Map<unknown, string>(values.map(({ value }) => [value, JSON.stringify(value)]));
  return (value) => {
    const text = texts.get(value);
    if (text === undefined) throw notA('value of the enumeration', value);
    return text;
  };
}

/** What JSON has to escape, and lone surrogates, which `JSON.stringify` escapes as well. */
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

function writeText(value: unknown): string {
  if (typeof value === 'string') return NEEDS_ESCAPE.test(value) ? JSON.stringify(value) : `"${value}"`;
  if (value instanceof Date) return JSON.stringify(value);
  throw notA('string', value);
}

function writeInteger(value: unknown): string {
  if (typeof value === 'bigint') {
    // A number is written faster than a bigint.
    const number = Number(value);
    return Number.isSafeInteger(number) ? `${number}` : `${value}`;
  }
  if (Number.isSafeInteger(value)) return `${value as number}`;
  throw notA('exact integer', value);
}

function writeNumber(value: unknown): string {
  if (typeof value === 'bigint' || Number.isFinite(value)) return String(value);
  throw notA('number', value);
}

function writeBoolean(value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  throw notA('boolean', value);
}

/** Names the type only: the value may be a secret, and the message is logged. */
function notA(wanted: string, value: unknown): Error {
  return new Error(`the answer has a ${value === null ? 'null' : typeof value} where openapi.yaml has a ${wanted}`);
}
