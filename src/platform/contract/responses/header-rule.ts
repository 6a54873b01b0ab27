import { scalarReader } from '../../values/scalar-readers.js';
import { compileCheck } from '../schemas/compile-check.js';
import { isNullable, typeOf } from '../schemas/schema-type.js';
import type { ContractNode } from '../source/contract-node.js';
import type { HeaderRule, HeaderValue } from './declared-response.js';

const TEXT_RULES = ['enum', 'const', 'format', 'minLength', 'maxLength', 'pattern'];

/** The rule of a header; none for one that is optional and may have any text. */
export function headerRule(header: ContractNode): HeaderRule[] {
  const schema = header.need('schema');
  const isRequired = header.get('required')?.value === true;
  if (schema.get('allOf')) schema.fail('"allOf" of a header is not supported; declare one type');
  const type = typeOf(schema);
  if (type === 'array' || type === 'object') schema.fail('a header must be a scalar');
  if (isNullable(schema)) schema.fail('a header cannot be null; leave it out instead');
  const { isValid, explain } = compileCheck(schema, 'response');
  const name = header.key.toLowerCase();
  const read = scalarReader(type);
  if (!isRequired && type === 'string' && !TEXT_RULES.some((keyword) => schema.get(keyword))) return [];
  return [
    {
      name,
      position: header.position,
      violationOf: (value: HeaderValue) => {
        const isMissing = value === undefined || (typeof value === 'object' && value.length === 0);
        if (isMissing) return isRequired ? `the header ${header.key} is missing` : undefined;
        // The common case, without a list: each response to a creation has a header that is checked.
        if (typeof value === 'string' && isValid(read(value))) return undefined;
        const refused = fieldsOf(name, value)
          .map((field) => read(field))
          .find((typed) => !isValid(typed));
        if (refused === undefined) return undefined;
        const sentences: string[] = [];
        explain(refused, `the header ${header.key}`, sentences);
        return sentences.join('; ');
      },
    },
  ];
}

/** The values of a header that its schema describes. Only those of Set-Cookie cannot be joined (RFC 9110, section 5.3). */
function fieldsOf(name: string, value: NonNullable<HeaderValue>): string[] {
  if (typeof value === 'string') return [value];
  const values = [value].flat().map(String);
  return name === 'set-cookie' ? values : [values.join(', ')];
}
