import { hasDuplicates } from '../schemas/array-check.js';
import { isJsonObject } from '../../values/json-object.js';
import { type JsonValue, readJson } from '../../values/json-reader.js';
import { shown } from '../../values/shown.js';
import { notA, writeString } from './json-writers.js';

/** Writes a value as JSON text. */
type Writer = (value: unknown) => string;

/** A member of an object, as it is written. */
export interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  /** Whether every object inherits the name: such a member is present only if it is the object's own. */
  readonly isInherited: boolean;
  readonly write: Writer;
  /** The text before the value of a first member: `{"name":`. */
  readonly opening: string;
  /** The text before the value of a later member: `,"name":`. */
  readonly separator: string;
}

export function member(name: string, isRequired: boolean, write: Writer): Member {
  const quoted = JSON.stringify(name);
  const isInherited = name in Object.prototype;
  return { name, isRequired, isInherited, write, opening: `{${quoted}:`, separator: `,${quoted}:` };
}

export function objectWriter(members: readonly Member[]): Writer {
  return (value) => {
    const text = writeMembers(members, value);
    return text === '' ? emptyObject(value) : `${text}}`;
  };
}

/** No member was written: the value may be a Map or an unawaited promise, which rarely has a declared member. */
function emptyObject(value: unknown): string {
  if (isJsonObject(value)) return '{}';
  throw notA('object', value);
}

/** Writes an object that may have undeclared members. Declared ones that are writeOnly are not written. */
export function mapWriter(members: readonly Member[], declared: ReadonlySet<string>, write: Writer): Writer {
  return (value) => {
    if (!isJsonObject(value)) throw notA('object', value);
    let text = writeMembers(members, value);
    for (const [name, returned] of Object.entries(value)) {
      const item = declared.has(name) ? undefined : shown(returned);
      if (item === undefined) continue;
      text += `${text === '' ? '{' : ','}${writeString(name)}:${write(item)}`;
    }
    return text === '' ? '{}' : `${text}}`;
  };
}

/** Without the closing brace; empty when no member has a value. */
function writeMembers(members: readonly Member[], value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notA('object', value);
  const object = value as Record<string, unknown>;
  let text = '';
  for (const { name, isRequired, isInherited, write, opening, separator } of members) {
    const item = isInherited && !Object.hasOwn(object, name) ? undefined : shown(object[name]);
    if (item !== undefined) text += (text === '' ? opening : separator) + write(item);
    else if (isRequired) throw new Error(`"${name}" is missing`);
  }
  return text;
}

export function arrayWriter(write: Writer, areUnique: boolean): Writer {
  return (value) => {
    if (!Array.isArray(value)) throw notA('array', value);
    let text = '';
    for (const item of value) text += (text === '' ? '[' : ',') + write(shown(item));
    if (text === '') return '[]';
    text += ']';
    if (areUnique && hasEqualItems(text)) throw new Error('it has duplicates as it is written');
    return text;
  };
}

/** Items may differ in what is not written, and in how it is written: `1e+21`, or members in another order. */
function hasEqualItems(list: string): boolean {
  return hasDuplicates(readJson(Buffer.from(list)) as JsonValue[]);
}
