/** Texts of which most patterns allow only some. A header cannot have the last one. */
const UNUSUAL = ['~', 'a b', '"', 'a\u0000b'];

/**
 * Characters of the longest value that is sent, by its place. A longer one would get 414, 431 or 413 for the size of the whole
 * request, which is limited to 8 kB of target, 16 kB of header fields and 100 kB of body.
 */
const LONGEST = { target: 7_500, header: 15_000, body: 100_000 };

/**
 * Values that break the schema of a parameter or member, each with what is wrong; as text of a URL or of JSON. `place` is
 * one of LONGEST.
 */
export function violationsOf(schema, place) {
  const { minimum, maximum, enum: values } = schema;
  const type = typeOf(schema);
  const found = [];
  if (type === 'integer') {
    found.push(['no integer', '1.5']);
    // JSON has numbers; elsewhere, an integer is canonical decimal text.
    if (place !== 'body')
      found.push(
        ['a word', 'abc'],
        ['a leading zero', '01'],
        ['an exponent', '1e1'],
        ['a plus sign', '+1'],
        ['a space', '1 '],
      );
    if (isWhole(minimum)) found.push(['below the minimum', String(BigInt(minimum) - 1n)]);
    if (isWhole(maximum)) found.push(['above the maximum', String(BigInt(maximum) + 1n)]);
  }
  if (values) found.push(['an unknown value', 'none-of-them']);
  const inCapitals = type === 'string' && values?.find((value) => value !== null)?.toUpperCase();
  if (inCapitals && !values.includes(inCapitals)) found.push(['a value in capitals', inCapitals]);
  if (type === 'string') found.push(...textViolationsOf(schema, LONGEST[place]));
  return found;
}

const isWhole = (bound) => bound !== undefined && Number.isInteger(Number(bound));

/** The bounds are of bigint, like every integer of the contract. */
function textViolationsOf({ pattern, minLength = 0n, maxLength }, longest) {
  const isMatch = pattern === undefined ? () => true : (text) => new RegExp(pattern, 'u').test(text);
  const found = UNUSUAL.filter((text) => !isMatch(text)).map((text) => [
    `${JSON.stringify(text)}, against the pattern`,
    text,
  ]);
  if (minLength > 0 && minLength <= longest) found.push(['too short', 'a'.repeat(Number(minLength) - 1)]);
  if (maxLength !== undefined && maxLength < longest) found.push(['too long', 'a'.repeat(Number(maxLength) + 1)]);
  return found;
}

/** Whether a member, if it is declared, can have a text. */
export function canBe(member, text) {
  if (member === undefined || member.readOnly === true || typeOf(member) !== 'string') return false;
  const isFree = ['enum', 'const', 'format'].every((keyword) => member[keyword] === undefined);
  return isFree && !breaks(member, text);
}

function breaks({ pattern, minLength = 0, maxLength }, text) {
  return (
    text.length < minLength ||
    (maxLength !== undefined && text.length > maxLength) ||
    (pattern !== undefined && !new RegExp(pattern, 'u').test(text))
  );
}

/** Queries that break the schema of a parameter, each with what is wrong: bad values, an empty one, or two good ones. */
export function brokenQueriesOf({ name, schema, example }) {
  const isMany = ['array', 'object'].includes(schema.type);
  const valid = example ?? schema.default ?? schema.enum?.[0] ?? schema.minimum;
  const found = violationsOf(schema, 'target').map(([what, value]) => [what, query(name, value)]);
  if (!isMany && !allowsEmpty(schema)) found.push(['empty', query(name, '')]);
  if (!isMany && valid !== undefined) found.push(['repeated', `${query(name, valid)}&${query(name, valid)}`]);
  return found;
}

function allowsEmpty({ type, enum: values, pattern = '', minLength = 0n }) {
  return type === 'string' && !values && minLength < 1 && new RegExp(pattern, 'u').test('');
}

const query = (name, value) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`;

/** Values of a header that break its schema: only those that fetch sends as they are. */
export function brokenHeadersOf({ schema }) {
  return violationsOf(schema, 'header').filter(([, value]) => /^[!-~]*( +[!-~]+)*$/.test(value));
}

/**
 * Bodies that break the schema, each with what is wrong. `example` is a valid body. A body without a valid `name` breaks
 * another member as well, because the resource could not say where it comes from if the instance accepted its name; the third
 * element is then the member that the error must name. With `isNameless`, this holds for each body.
 */
export function brokenBodies({ schema, example }, isNameless = false) {
  const members = Object.entries(schema.properties).filter(([, { readOnly }]) => readOnly !== true);
  const required = requiredOf(schema);
  // Without a type, it is not clear what a value must not be.
  const typed = members.filter(([, { type }]) => type !== undefined);
  const found = [];
  const add = (what, name, text) => {
    const needsOther = isNameless || (name === 'name' && !text?.startsWith(`"${example.name}`));
    const others = typed.filter(([each]) => each !== name);
    const other = needsOther ? (others.find(([each]) => required.includes(each)) ?? others[0]) : undefined;
    const texts = {
      ...(other && { [other[0]]: textOfAnotherType(other[1]) }),
      ...(text !== undefined && { [name]: text }),
    };
    found.push([what, json({ ...example, [name]: undefined }, texts), ...(other ? [name] : [])]);
  };
  /** A text that begins with the valid name, if it is still wrong: too long, or with a character that is not allowed. */
  const begun = (member, name, text) => {
    const longer = `${example.name}${text}`;
    return name === 'name' && breaks(member, longer) ? longer : text;
  };
  for (const name of required) add(`without ${name}`, name);
  for (const [name, member] of typed) {
    const broken = [
      ['the wrong type', textOfAnotherType(member)],
      ...(allowsNull(member) ? [] : [['null', 'null']]),
      ...violationsOf(member, 'body').map(([what, text]) => [what, literal(member, begun(member, name, text))]),
    ];
    for (const [what, text] of broken) add(`${name}: ${what}`, name, text);
  }
  return [...found, ['text that is not JSON', '{"']];
}

/** The members that a request must have. */
export const requiredOf = ({ required, properties }) => required.filter((name) => properties[name]?.readOnly !== true);

function textOfAnotherType({ type }) {
  const types = new Set([type].flat());
  if (!types.has('string')) return '"7"';
  return types.has('integer') || types.has('number') ? '{}' : '7';
}

const allowsNull = ({ type, nullable }) => nullable === true || [type].flat().includes('null');

const literal = (schema, text) => (typeOf(schema) === 'string' ? JSON.stringify(text) : text);

/** In OpenAPI 3.1, a list of types; undefined if it has several. */
function typeOf({ type }) {
  const types = [type].flat().filter((one) => one !== 'null');
  return types.length === 1 ? types[0] : undefined;
}

/** JSON of a body, with the text of some members given, so that numbers keep every digit. */
export function json(body, texts = {}) {
  if (Array.isArray(body)) return textOf(body);
  const members = Object.entries(body ?? {})
    .filter(([name, value]) => value !== undefined && !(name in texts))
    .map(([name, value]) => [name, textOf(value)]);
  return `{${[...members, ...Object.entries(texts)].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

function textOf(value) {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  return typeof value === 'object' && value !== null ? json(value) : JSON.stringify(value);
}
