/** Keywords that restrict no value: beside alternatives, they describe the whole. */
const DESCRIBING =
  /^(title|description|examples?|externalDocs|default|deprecated|readOnly|writeOnly|\$comment|x-.*|oneOf|anyOf)$/;

const DIRECTIONS = ['readOnly', 'writeOnly'];

/**
 * A flat schema whose null is a type, however the document writes it: `enum: [null]` is the type null, and alternatives
 * for null beside a single other one are that one, which may be null. `normaliseInner` makes an alternative flat.
 */
export function withNullAsType(schema, normaliseInner) {
  if (isOnlyNull(schema)) return { ...describing(schema), type: ['null'] };
  const [kind, ...others] = ['oneOf', 'anyOf'].filter((name) => name in schema);
  if (kind === undefined || others.length > 0 || !Object.keys(schema).every((name) => DESCRIBING.test(name)))
    return schema;
  const alternatives = schema[kind].map(normaliseInner);
  const [only, ...further] = alternatives.filter((one) => !isOnlyNull(one));
  const nulls = alternatives.length - 1;
  if (only === undefined || further.length > 0 || nulls === 0 || !canBeMerged(only)) return schema;
  // Null would match several alternatives, and be refused.
  if (kind === 'oneOf' && (nulls > 1 || acceptsNull(only))) return schema;
  const values = only.enum && { enum: [...new Set([...only.enum, null])] };
  const whole = Object.fromEntries(Object.entries(schema).filter(([name]) => name !== kind));
  return { ...only, ...values, type: [...new Set([...only.type, 'null'])].toSorted(byText), ...whole };
}

export const byText = (a, b) => (a < b ? -1 : 1);

const isOnlyNull = ({ type, enum: values }) =>
  type?.join() === 'null' ||
  (values?.length > 0 && values.every((value) => value === null) && (type?.includes('null') ?? true));

const acceptsNull = ({ type, enum: values }) => type.includes('null') && (values?.includes(null) ?? true);

/** Whether all that the schema says is in keywords of one type. */
const canBeMerged = (schema) =>
  schema.type !== undefined && !['allOf', 'oneOf', 'anyOf', 'not', ...DIRECTIONS].some((name) => name in schema);

const describing = (schema) => Object.fromEntries(Object.entries(schema).filter(([name]) => DESCRIBING.test(name)));
