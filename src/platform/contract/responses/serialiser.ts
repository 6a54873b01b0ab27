import { writeJson } from '../values/exact-json.js';
import type { Serialiser } from './contract.js';
import type { ContractNode } from './contract-source.js';
import { notA, writeBoolean, writeInteger, writeNumber, writeString } from './json-writers.js';

/**
 * Turns a schema of the contract, once at start, into a function that writes a value as JSON text: exact integers, only
 * declared members, in the order of declaration. It never coerces: a value that does not match the schema throws,
 * because a response that breaks the contract is a fault of the service and must be visible.
 */
export function compileSerialiser(schema: ContractNode): Serialiser {
  return compile(schema, []);
}

/** `parents` are the places of the schemas that contain this one. */
function compile(schema: ContractNode, parents: readonly string[]): Serialiser {
  const place = schema.path.join('/');
  if (parents.includes(place)) schema.fail('recursive schemas are not supported');
  const inside = [...parents, place];
  const write = schema.get('allOf') ? compileObject(schema, inside) : compileType(schema, inside);
  if (schema.get('nullable')?.value !== true) return write;
  return (value) => (value === null ? 'null' : write(value));
}

function compileType(schema: ContractNode, inside: readonly string[]): Serialiser {
  const type = schema.need('type').text();
  switch (type) {
    case 'object':
      return compileObject(schema, inside);
    case 'array':
      return arrayWriter(compile(schema.need('items'), inside));
    case 'string':
      return schema.get('enum') ? enumWriter(schema.need('enum').children()) : writeString;
    case 'integer':
      return writeInteger;
    case 'number':
      return writeNumber;
    case 'boolean':
      return writeBoolean;
    default:
      return schema.need('type').fail(`the type "${type}" is not supported`);
  }
}

function compileObject(schema: ContractNode, inside: readonly string[]): Serialiser {
  const parts = [schema, ...(schema.get('allOf')?.children() ?? [])];
  for (const part of parts.slice(1)) if (part.get('allOf')) part.fail('nested "allOf" is not supported');
  const required = new Set(parts.flatMap((part) => part.get('required')?.children() ?? []).map((name) => name.text()));
  const members = parts
    .flatMap((part) => part.get('properties')?.children() ?? [])
    .map((property) => member(property.key, required.has(property.key), compile(property, inside)));
  const others = schema.get('additionalProperties')?.value;
  if (others === true) return mapWriter(members, writeJson);
  if (typeof others === 'object') return mapWriter(members, compile(schema.need('additionalProperties'), inside));
  return objectWriter(members);
}

interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  readonly write: Serialiser;
  /** The text before the value of a first member: `{"name":`. */
  readonly opening: string;
  /** The text before the value of a later member: `,"name":`. */
  readonly separator: string;
}

function member(name: string, isRequired: boolean, write: Serialiser): Member {
  const quoted = JSON.stringify(name);
  return { name, isRequired, write, opening: `{${quoted}:`, separator: `,${quoted}:` };
}

function objectWriter(members: readonly Member[]): Serialiser {
  return (value) => {
    const text = writeMembers(members, value);
    return text === '' ? '{}' : `${text}}`;
  };
}

/** An object that may have members beyond the declared ones. */
function mapWriter(members: readonly Member[], write: Serialiser): Serialiser {
  const declared = new Set(members.map(({ name }) => name));
  return (value) => {
    let text = writeMembers(members, value);
    for (const [name, item] of Object.entries(value as object)) {
      if (declared.has(name) || item === undefined) continue;
      text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${write(item)}`;
    }
    return text === '' ? '{}' : `${text}}`;
  };
}

/** Without the closing brace; empty when no member has a value. */
function writeMembers(members: readonly Member[], value: unknown): string {
  if (typeof value !== 'object' || value === null) throw notA('object', value);
  const object = value as Record<string, unknown>;
  let text = '';
  for (const { name, isRequired, write, opening, separator } of members) {
    const item = object[name];
    if (item !== undefined) text += (text === '' ? opening : separator) + write(item);
    else if (isRequired) throw new Error(`"${name}" is missing`);
  }
  return text;
}

function arrayWriter(write: Serialiser): Serialiser {
  return (value) => {
    if (!Array.isArray(value)) throw notA('array', value);
    let text = '';
    for (const item of value) text += (text === '' ? '[' : ',') + write(item);
    return text === '' ? '[]' : `${text}]`;
  };
}

function enumWriter(values: readonly ContractNode[]): Serialiser {
  const texts = new Map(values.map(({ value }) => [value, JSON.stringify(value)]));
  return (value) => {
    const text = texts.get(value);
    if (text === undefined) throw notA('enumeration value', value);
    return text;
  };
}
