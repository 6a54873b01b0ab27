import { sentence } from '../schemas/check.js';
import { freshDefault } from '../schemas/object-members.js';
import type { Parameter } from './parameter.js';
import { queryReader } from './query-values.js';
import type { RequestValues } from './request-values.js';

/** Adds a sentence for each violation. Puts the value of a valid parameter of the query into `request.query`. */
export type ParameterCheck = (request: RequestValues, sentences: string[]) => void;

export function parameterCheck(parameter: Parameter): ParameterCheck {
  return parameter.place === 'query' ? queryCheck(parameter) : textCheck(parameter);
}

const ONCE = 'must be given once';

/** Express and Nest expect numbers and booleans of a query as they are declared, not as text. */
function queryCheck(parameter: Parameter): ParameterCheck {
  const { name, type, isRequired, check, fallback } = parameter;
  const isScalar = type !== 'array' && type !== 'object';
  const { find, store, isRepeated } = queryReader(parameter);
  return (request, sentences) => {
    if (isRepeated?.(request)) {
      sentences.push(sentence(name, ONCE));
      return;
    }
    const value = find(request);
    if (value === undefined) {
      if (isRequired) sentences.push(sentence(name, 'is required'));
      else if (fallback !== undefined) request.query[name] = freshDefault(fallback);
    } else if (check.isValid(value)) store(request, check.complete ? check.complete(value) : value);
    else if (isScalar && Array.isArray(value)) sentences.push(sentence(name, ONCE));
    else check.explain(value, name, sentences);
  };
}

function textCheck({ name, place, isRequired, type, check, read }: Parameter): ParameterCheck {
  const label = place === 'path' ? name : `${place} ${name}`;
  const textOf = TEXT_OF[place as keyof typeof TEXT_OF](name);
  return (request, sentences) => {
    const text = textOf(request);
    if (text === undefined) {
      if (isRequired) sentences.push(sentence(label, 'is required'));
      return;
    }
    const value = type === 'array' ? listOf(text).map(read) : read(text);
    if (!check.isValid(value)) check.explain(value, label, sentences);
  };
}

const TEXT_OF = {
  path: (name: string) => (request: RequestValues) => request.params[name] as string | undefined,
  header: (name: string) => {
    const key = name.toLowerCase();
    return ({ headers }: RequestValues) => {
      // Every object inherits a "constructor".
      const value = Object.hasOwn(headers, key) ? headers[key] : undefined;
      return Array.isArray(value) ? value.join(', ') : value;
    };
  },
  cookie:
    (name: string) =>
    ({ headers }: RequestValues) =>
      cookieOf(String(headers.cookie ?? ''), name),
};

function listOf(text: string): string[] {
  return text === '' ? [] : text.split(',').map((item) => item.trim());
}

/** RFC 6265, section 4.2; the first of several cookies with one name. */
function cookieOf(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const sign = pair.indexOf('=');
    if (sign !== -1 && pair.slice(0, sign).trim() === name) return decoded(pair.slice(sign + 1).trim());
  }
  return undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
