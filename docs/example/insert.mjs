// Inserts a fragment of a contract into openapi.yaml, each part at the end of the part with the same name:
//   node docs/example/insert.mjs docs/example/orders/openapi.yaml
import { readFileSync, writeFileSync } from 'node:fs';
import { parseDocument } from 'yaml';

const PARTS = [['tags'], ['paths'], ['components', 'schemas'], ['components', 'responses']];
const CONTRACT = 'openapi.yaml';

/** The whole lines of a part behind its name. */
function linesOf(text, part) {
  const node = parseDocument(text).getIn(part, true);
  if (!node?.range) throw new Error(`The part ${part.join('.')} is missing`);
  const [first, end] = node.range;
  return { start: text.lastIndexOf('\n', first) + 1, end: text.lastIndexOf('\n', end - 1) + 1 };
}

const [file] = process.argv.slice(2);
if (!file) throw new Error('Name the file of the fragment');
const fragment = readFileSync(file, 'utf8');
let contract = readFileSync(CONTRACT, 'utf8');
for (const part of PARTS) {
  const { start, end } = linesOf(fragment, part);
  const place = linesOf(contract, part).end;
  contract = `${contract.slice(0, place)}${fragment.slice(start, end)}${contract.slice(place)}`;
}
writeFileSync(CONTRACT, contract);
