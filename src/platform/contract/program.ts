/** JavaScript that is put together at start, of the names in the contract, always quoted, and of nothing else. */
export class Program {
  readonly #scope: Record<string, unknown>;
  #functions = '';
  #count = 0;

  /** `scope` is what the source may refer to, by name. */
  constructor(scope: Record<string, unknown>) {
    this.#scope = { ...scope };
  }

  /** The name by which the source refers to a value. */
  constant(value: unknown): string {
    const name = `constant${(this.#count += 1)}`;
    this.#scope[name] = value;
    return name;
  }

  /** The name of a function of `value` with that body. */
  add(body: string): string {
    const name = `write${(this.#count += 1)}`;
    this.#functions += `function ${name}(value) {\n${body}\n}\n`;
    return name;
  }

  /** The function of `value` that answers with the value of an expression. */
  link(expression: string): (value: unknown) => string {
    const source = `'use strict';\n${this.#functions}return (value) => ${expression};`;
    // eslint-disable-next-line typescript/no-implied-eval -- the very purpose of this class
    const make = new Function(...Object.keys(this.#scope), source);
    return make(...Object.values(this.#scope)) as (value: unknown) => string;
  }
}
