// Inserts a fragment of a contract into openapi.yaml, each part at the end of the part with the same name:
//   node docs/example/insert.mjs docs/example/orders/openapi.yaml
import { readFileSync, writeFileSync } from 'node:fs';
import { isMap, parseDocument } from 'yaml';

const CONTRACT = 'openapi.yaml';

/** Ends the command with a sentence. */
function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** The whole lines of a part behind its name. */
function linesOf(text, node) {
  const [first, end] = node.range;
  return { start: text.lastIndexOf('\n', first) + 1, end: text.lastIndexOf('\n', end - 1) + 1 };
}

/** Tags, paths, and each section of the components. */
function partsOf(fragment) {
  if (!isMap(fragment.contents)) fail('The fragment must be an object.');
  const names = fragment.contents.items.map(({ key }) => String(key));
  const other = names.find((name) => !['tags', 'paths', 'components'].includes(name));
  if (other) fail(`The part ${other} cannot be inserted; change it in ${CONTRACT} by hand.`);
  return names.flatMap((name) => {
    const node = fragment.get(name, true);
    if (name !== 'components') return [[name]];
    if (!isMap(node) || node.flow) fail('The part components must have its sections in lines of their own.');
    return node.items.map(({ key }) => [name, String(key)]);
  });
}

const [file] = process.argv.slice(2);
if (!file) fail('Name the file of the fragment.');
const text = readFileSync(file, 'utf8');
const fragment = parseDocument(text);
if (fragment.errors.length > 0) fail(`${file} is not valid YAML: ${fragment.errors[0].message.split('\n')[0]}`);
let contract = readFileSync(CONTRACT, 'utf8');
for (const part of partsOf(fragment)) {
  const node = fragment.getIn(part, true);
  if (!node?.range || node.items === undefined || node.flow)
    fail(`The part ${part.join('.')} must have its entries in lines of their own.`);
  const { start, end } = linesOf(text, node);
  const existing = parseDocument(contract);
  const isThere = existing.hasIn(part);
  // A new section goes to the end of the components.
  const place = existing.getIn(isThere ? part : part.slice(0, -1), true);
  if (!place?.items || place.flow) fail(`${CONTRACT} must have the part ${part[0]}, in lines of its own.`);
  const name = isThere ? '' : `  ${part.at(-1)}:\n`;
  const at = linesOf(contract, place).end;
  contract = `${contract.slice(0, at)}${name}${text.slice(start, end)}${contract.slice(at)}`;
}
writeFileSync(CONTRACT, contract);
