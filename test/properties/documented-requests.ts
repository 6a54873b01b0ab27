import { Ajv } from 'ajv';
import fc from 'fast-check';

// Requests that follow from the schemas of a document alone, each with whether the document allows it.

interface Schema {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: bigint;
  readonly maximum?: bigint;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface DocumentedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: {
    readonly schema: { readonly required: readonly string[]; readonly properties: Readonly<Record<string, Schema>> };
  };
  readonly responses: ReadonlyMap<number, unknown>;
}

export interface DocumentedRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly validHeaders: readonly string[];
  readonly body?: string;
  readonly isValid: boolean;
}

/** A parameter or member; it is left out when it has no text. */
interface Part {
  readonly text?: string;
  readonly isValid: boolean;
}

const ajv = new Ajv({ strict: false, validateFormats: false });
const compiled = new Map<Schema, (value: unknown) => boolean>();

/** Texts that parameters of any type may have. */
const anyText = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom('', '0', '-1', '01', '+1', '1.5', '1e2', '0x10', ' 1', 'NaN', 'null', 'true', '[]', 'a,b', '"a"'),
);

/** `learn` takes the cursor of a next page: the document calls it opaque, and says where to find it. */
export function requestsOf({ parameters, path, body }: DocumentedOperation) {
  const cursors: string[] = [];
  const parts = parameters.map((parameter) =>
    parameter.name === 'cursor' ? cursorOf(parameter.schema, cursors) : optional(parameter, textOf(parameter)),
  );
  const arbitrary = fc
    .tuple(fc.tuple(...parts), body ? bodyOf(body.schema) : fc.constant(undefined))
    .map(([texts, sent]): DocumentedRequest => {
      const given = parameters.flatMap((parameter, index) => {
        const { text, isValid } = texts[index]!;
        return text === undefined ? [] : [{ ...parameter, text, isValid }];
      });
      const [pathOnly, query, headers] = (['path', 'query', 'header'] as const).map((place) =>
        given.filter((each) => each.in === place),
      );
      const at = pathOnly!.reduce((all, { name, text }) => all.replace(`{${name}}`, encodeURIComponent(text)), path);
      const search = query!.map(({ name, text }) => `${name}=${encodeURIComponent(text)}`).join('&');
      return {
        target: search === '' ? at : `${at}?${search}`,
        headers: Object.fromEntries(headers!.map(({ name, text }) => [name, text])),
        validHeaders: headers!.flatMap(({ name, isValid }) => (isValid ? [name] : [])),
        ...(sent && { body: sent.text }),
        isValid: texts.every((part) => part.isValid) && (sent?.isValid ?? true),
      };
    });
  const learn = (target: string | undefined): void => {
    const cursor = new URLSearchParams(target?.split('?')[1]).get('cursor');
    if (cursor !== null) cursors.push(cursor);
  };
  return { arbitrary, learn: parameters.some(({ name }) => name === 'cursor') ? learn : undefined };
}

function optional({ required = false }: { readonly required?: boolean }, part: fc.Arbitrary<Part>): fc.Arbitrary<Part> {
  return required
    ? part
    : fc.oneof({ weight: 1, arbitrary: fc.constant({ isValid: true }) }, { weight: 3, arbitrary: part });
}

function cursorOf(schema: Schema, known: readonly string[]): fc.Arbitrary<Part> {
  const learned = fc.nat().map((index) => {
    const text = known[index % (known.length || 1)];
    return text === undefined ? { isValid: true } : { text, isValid: true };
  });
  // A text that fits the pattern may still be no cursor.
  const wrong = anyText.map((text) => ({ text, isValid: false })).filter(({ text }) => !allows(schema, text));
  return fc.oneof({ weight: 4, arbitrary: learned }, { weight: 1, arbitrary: wrong });
}

/** The text of a parameter, which is what the schema describes, or its decimal notation. */
function textOf({ in: place, schema }: Parameter): fc.Arbitrary<Part> {
  const good = schema.type === 'integer' ? integersNear(schema).map(String) : stringsOf(schema);
  return (
    fc
      .oneof({ weight: 3, arbitrary: good }, { weight: 1, arbitrary: anyText })
      // No path segment is empty, HTTP removes spaces around the value of a header, and these two segments move within a path.
      .filter((text) => place === 'query' || (text !== '' && text.trim() === text && text !== '.' && text !== '..'))
      .map((text) => ({ text, isValid: isValidText(schema, text) }))
  );
}

function isValidText(schema: Schema, text: string): boolean {
  if (schema.type !== 'integer') return allows(schema, text);
  return /^(0|-?[1-9]\d*)$/.test(text) && isInRange(schema, BigInt(text));
}

function isInRange({ minimum, maximum }: Schema, value: bigint): boolean {
  return (minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum);
}

/** Mostly within the bounds, and often at or just beyond one. */
function integersNear({ minimum = -1000n, maximum = 1000n }: Schema): fc.Arbitrary<bigint> {
  return fc.oneof(
    fc.bigInt({ min: minimum, max: maximum }),
    fc.bigInt({ min: -3n, max: 3n }).map((step) => minimum + step),
    fc.bigInt({ min: -3n, max: 3n }).map((step) => maximum + step),
  );
}

function stringsOf({ enum: values, pattern }: Schema): fc.Arbitrary<string> {
  if (values) return fc.constantFrom(...values);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'));
  return fc.string({ unit: 'binary', maxLength: 20 });
}

/** JSON of an object: members of any kind, in any order, with further ones that the document does not forbid. */
function bodyOf({
  required,
  properties,
}: NonNullable<DocumentedOperation['body']>['schema']): fc.Arbitrary<Required<Part>> {
  const members = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const absent = fc.constant<Part>({ isValid: !isRequired });
    return fc
      .oneof({ weight: 1, arbitrary: absent }, { weight: isRequired ? 15 : 3, arbitrary: jsonOf(schema) })
      .map((part) => ({ name, ...part }));
  });
  const further = fc
    .tuple(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 1 }))
    .filter(([name]) => !Object.hasOwn(properties, name))
    .map(([name, value]) => [{ name, text: JSON.stringify(value), isValid: true }]);
  return fc.tuple(fc.tuple(...members), fc.oneof(fc.constant([]), further)).chain(([own, others]) => {
    const all = [...own, ...others].filter(({ text }) => text !== undefined);
    return fc.shuffledSubarray(all, { minLength: all.length }).map((ordered) => ({
      text: `{${ordered.map(({ name, text }) => `${JSON.stringify(name)}:${text}`).join()}}`,
      isValid: own.every(({ isValid }) => isValid),
    }));
  });
}

/** JSON of a value of the schema, or of another one. */
function jsonOf(schema: Schema): fc.Arbitrary<Part> {
  const good =
    schema.type === 'integer'
      ? integersNear(schema).map((value) => ({ text: String(value), isValid: isInRange(schema, value) }))
      : stringsOf(schema).map((value) => ({ text: JSON.stringify(value), isValid: allows(schema, value) }));
  const any = fc
    .oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(null, true, 1.5, '\0', ' available', [], {}))
    .map((value) => ({ text: JSON.stringify(value), isValid: allows(schema, value) }));
  return fc.oneof({ weight: 5, arbitrary: good }, { weight: 1, arbitrary: any });
}

/** Ajv compares numbers, which is enough for values that are not near a bound of int64. */
function allows(schema: Schema, value: unknown): boolean {
  let validate = compiled.get(schema);
  if (!validate) {
    const text = JSON.stringify(schema, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each));
    validate = ajv.compile(JSON.parse(text) as object);
    compiled.set(schema, validate);
  }
  return validate(value);
}
