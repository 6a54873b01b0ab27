/** Values that break the schema of a parameter or member, each with what is wrong; as text of a URL or of JSON. */
export function violationsOf(schema) {
  const { type, minimum, maximum, enum: values } = schema;
  const found = [];
  if (type === 'integer') {
    found.push(['no integer', '1.5']);
    if (minimum !== undefined) found.push(['below the minimum', String(BigInt(minimum) - 1n)]);
    if (maximum !== undefined) found.push(['above the maximum', String(BigInt(maximum) + 1n)]);
  }
  if (values) found.push(['an unknown value', 'none-of-them']);
  return found;
}

/** Bodies that break the schema, each with what is wrong. `example` is a valid body. */
export function brokenBodies({ schema, example }) {
  const found = schema.required.map((name) => [`without ${name}`, json({ ...example, [name]: undefined })]);
  for (const [name, member] of Object.entries(schema.properties)) {
    const wrongType = member.type === 'string' ? '7' : '"7"';
    const broken = [
      ['the wrong type', wrongType],
      ...violationsOf(member).map(([what, text]) => [what, literal(member, text)]),
    ];
    for (const [what, text] of broken) found.push([`${name}: ${what}`, json(example, { [name]: text })]);
  }
  return [...found, ['text that is not JSON', '{"']];
}

const literal = ({ type }, text) => (type === 'string' ? JSON.stringify(text) : text);

/** JSON of a body, with the text of some members given, so that numbers keep every digit. */
export function json(body, texts = {}) {
  const members = Object.entries(body)
    .filter(([name, value]) => value !== undefined && !(name in texts))
    .map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : JSON.stringify(value)]);
  return `{${[...members, ...Object.entries(texts)].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}
