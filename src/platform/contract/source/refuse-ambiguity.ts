import { type Document, isScalar, type Node, type Scalar, visit, type YAMLMap } from 'yaml';
import { Aliases, type Fail } from './aliases.js';

/** Refuses YAML that means something other than it seems to. */
export function refuseAmbiguity(document: Document, fail: Fail): void {
  if (document.directives?.yaml.version === '1.1')
    fail(0, 'YAML 1.1 reads "no" as false and "010" as 8; remove the line "%YAML 1.1"');
  const aliases = new Aliases(fail);
  visit(document, {
    Alias: (_, alias, parents) => aliases.resolve(alias, parents),
    Map: (_, map) => {
      aliases.meet(map);
      refuseNames(map, fail);
    },
    Seq: (_, list) => aliases.meet(list),
    Scalar: (_, scalar) => {
      aliases.meet(scalar);
      refuseNumber(scalar, fail);
    },
  });
}

/** `200` and `'200'` are different names in YAML only. Other numbers and null are written differently in JSON. */
function refuseNames(map: YAMLMap, fail: Fail): void {
  const names = new Set<string>();
  for (const key of map.items.map((item) => item.key as Node)) {
    if (!isScalar(key)) return fail(offsetOf(key), 'a name must be text; write it out');
    const name = String(key.value);
    if (typeof key.value !== 'string' && name !== key.source)
      fail(offsetOf(key), `the name ${key.source} would become "${name}"; put it in quotes`);
    if (key.type === 'PLAIN' && name === '<<')
      fail(offsetOf(key), '"<<" merges nothing in YAML 1.2; use "$ref" or "allOf"');
    if (names.has(name)) fail(offsetOf(key), `"${name}" is declared twice; remove one of them`);
    names.add(name);
  }
}

/** Refuses a number that a double rounds. Integers are read exactly. */
function refuseNumber(scalar: Scalar, fail: Fail): void {
  const { value, source = '' } = scalar;
  if (typeof value !== 'number' || !/^[-+]?(?:\d|\.\d)/.test(source)) return;
  if (decimalOf(String(value)) !== decimalOf(source))
    fail(
      offsetOf(scalar),
      `${source} would be rounded to ${value}; write an integer without a fraction, or fewer digits`,
    );
}

/** The same text for the same number: `12e-1` for `1.20`. */
function decimalOf(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [integer = '', fraction = ''] = mantissa.replace('+', '').split('.');
  const digits = `${integer}${fraction}`.replace(/^(-?)0+(?=\d)/, '$1');
  const significant = digits.replace(/0+$/, '');
  if (significant === '' || significant === '-') return '0';
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0;
}
