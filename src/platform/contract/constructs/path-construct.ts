import type { ContractNode } from '../source/contract-node.js';

/** Nest's router knows no name that begins with a digit. */
const NAMES = /^(?:[^{}]|\{[A-Za-z_]\w*\})*$/;

/** RFC 3986, section 3.3, without what Nest's router reads as a pattern. A request writes other characters as `%..`. */
const OTHER_CHARACTER = /[^A-Za-z\d_./~$&',;=@:{}-]|:(?![A-Za-z_])/u;
const CHARACTERS = `letters, digits, any of - . _ ~ $ & ' , ; = @, and ":" before a letter`;

/** What is wrong with a path, or with that of a server, wherever it stands; undefined if nothing is. */
export function pathViolation(path: string): string | undefined {
  const [other] = OTHER_CHARACTER.exec(path) ?? [];
  if (other !== undefined) return `a path cannot have "${other}"; use ${CHARACTERS}`;
  if (/\/\.{1,2}(?:\/|$)/.test(path)) return 'clients resolve "." and ".." in a path; write where they lead';
  return path.includes('//') ? 'a path cannot have "//"; remove one "/"' : undefined;
}

/** Refuses a path that no request could have, or that Nest's router misreads. `others` are in Nest's syntax. */
export function checkPath(path: ContractNode, others: Set<string>): void {
  const { key } = path;
  if (!key.startsWith('/')) path.failAtName(`the path "${key}" must begin with "/"`);
  if (!NAMES.test(key))
    path.failAtName(
      'a path parameter must have a name of letters, digits and "_" in braces, and must not begin with a digit',
    );
  const violation = pathViolation(key);
  if (violation !== undefined) path.failAtName(violation);
  if (key.endsWith('/')) path.failAtName('Nest removes the "/" at the end of a path; remove it here, or add a name');
  if (/\}[\w{]/.test(key))
    path.failAtName('no letter, digit, "_" or "{" may follow a path parameter; write another character between them');
  const names = [...key.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) path.failAtName(`the path has two parameters "${twice}"; rename one of them`);
  const asInNest = key.replaceAll(/\{(\w+)\}/g, ':$1');
  if (others.has(asInNest)) path.failAtName(`another path is ${asInNest} in Nest, too; rename one of them`);
  others.add(asInNest);
}
