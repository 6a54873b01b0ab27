import type { Serialiser } from './contract.js';
import type { ContractNode } from './contract-source.js';
import { notA, WRITERS } from './json-writers.js';
import { Program } from './program.js';

/** Makes the source of a value's JSON text of the source of the value. */
type Source = (value: string) => string;

/**
 * Compiles a schema of the contract into a function that writes JSON text: exact integers, declared members only, in
 * the order of their declaration. A value that is not what the schema says is never bent into shape: an answer that
 * breaks the contract is a failure of the service, and shall be seen as one.
 *
 * What is compiled is JavaScript, with each member read by its name: a function that finds the names in a table takes
 * half as long again, because V8 cannot learn what it will meet.
 */
export function compileSerialiser(schema: ContractNode): Serialiser {
  const compiler = new Compiler(new Program({ ...WRITERS, notA }));
  return compiler.program.link(compiler.compile(schema, [])('value'));
}

class Compiler {
  constructor(readonly program: Program) {}

  compile(schema: ContractNode, within: readonly string[]): Source {
    const place = schema.path.join('/');
    if (within.includes(place)) schema.fail('recursive schemas are not supported');
    const inside = [...within, place];
    const write = schema.get('allOf') ? this.#object(schema, inside) : this.#type(schema, inside);
    if (schema.get('nullable')?.value !== true) return write;
    return (value) => `(${value} === null ? 'null' : ${write(value)})`;
  }

  #type(schema: ContractNode, inside: readonly string[]): Source {
    const type = schema.need('type').text();
    switch (type) {
      case 'object':
        return this.#object(schema, inside);
      case 'array':
        return this.#array(this.compile(schema.need('items'), inside));
      case 'string':
        return schema.get('enum') ? this.#enumeration(schema.need('enum').children()) : call(type);
      case 'integer':
      case 'number':
      case 'boolean':
        return call(type);
      default:
        return schema.need('type').fail(`the type "${type}" is not supported`);
    }
  }

  #object(schema: ContractNode, inside: readonly string[]): Source {
    const parts = [schema, ...(schema.get('allOf')?.children() ?? [])];
    for (const part of parts.slice(1)) if (part.get('allOf')) part.fail('nested "allOf" is not supported');
    const properties = parts.flatMap((part) => part.get('properties')?.children() ?? []);
    const required = new Set(
      parts.flatMap((part) => part.get('required')?.children() ?? []).map((name) => name.text()),
    );
    let source = `if (typeof value !== 'object' || value === null) throw notA('object', value);\nlet text = '', item;\n`;
    for (const property of properties) {
      source += member(property.key, required.has(property.key), this.compile(property, inside));
    }
    const others = schema.get('additionalProperties')?.value;
    if (others === true || typeof others === 'object') {
      const declared = this.program.constant(new Set(properties.map(({ key }) => key)));
      const write = others === true ? call('anything') : this.compile(schema.need('additionalProperties'), inside);
      source += `for (const name of Object.keys(value)) {
        if (${declared}.has(name) || (item = value[name]) === undefined) continue;
        text += (text === '' ? '{' : ',') + JSON.stringify(name) + ':' + ${write('item')};
      }\n`;
    }
    return call(this.program.add(`${source}return text === '' ? '{}' : text + '}';`));
  }

  #array(write: Source): Source {
    return call(
      this.program.add(`if (!Array.isArray(value)) throw notA('array', value);
      let text = '';
      for (const item of value) text += (text === '' ? '[' : ',') + ${write('item')};
      return text === '' ? '[]' : text + ']';`),
    );
  }

  #enumeration(values: readonly ContractNode[]): Source {
    const texts = this.program.constant(new Map(values.map(({ value }) => [value, JSON.stringify(value)])));
    return (value) => `enumerated(${texts}, ${value})`;
  }
}

/** The source of a member of the object `value`, whose text so far is `text`. */
function member(name: string, isRequired: boolean, write: Source): string {
  const quoted = JSON.stringify(name);
  const append = `text += (text === '' ? '{' : ',') + ${JSON.stringify(`${quoted}:`)} + ${write('item')};`;
  const missing = isRequired ? `else throw new Error(${JSON.stringify(`${quoted} is missing`)});` : '';
  return `if ((item = value[${quoted}]) !== undefined) ${append}\n${missing}\n`;
}

function call(name: string): Source {
  return (value) => `${name}(${value})`;
}
