import { format, resolveConfig } from 'prettier';
import { parseDocument } from '../contract/document.mjs';
import { comment } from './comment.mjs';
import { readOperations } from './operations.mjs';
import { unlessRefused } from './refusal.mjs';
import { hasDirection, typeOf } from './types.mjs';

const HEAD = `// Written by \`npm run contract:client\` from openapi.yaml: change that, and run it again.
import type { OperationCall } from './operation-call.js';
`;

/** Types that the others use where an intersection is not enough, by name. */
const HELPERS = {
  Without: `
/** A schema without members that one of its parts declares for the other direction only. */
type Without<T, Name extends string> = T extends object ? { [M in keyof T as Exclude<M, Name>]: T[M] } : T;
`,
  Requires: `
/** Members that a part of a schema requires; in the other parts, they are optional or undeclared. */
type Requires<T, Name extends string> = T extends object
  ? T & { [M in Name]: M extends keyof T ? Exclude<T[M], undefined> : unknown }
  : T;
`,
};

/**
 * The types and the operations of the client for a contract, formatted as `file`. Calls `report` with a sentence about each
 * thing that the client cannot honour.
 */
export async function generateClient(contractText, file, report = () => {}) {
  const document = parseDocument(contractText);
  const sentences = new Set();
  const leaveOut = (sentence) => sentences.add(sentence);
  const operations = readOperations(document, leaveOut);
  const components = Object.entries(document.components?.schemas ?? {});
  const members = (direction, among) =>
    among.map(([name, schema]) => {
      const read = () => typeOf(schema, direction, document, `components.schemas.${name}`);
      const type = unlessRefused(read, 'unknown', (message) =>
        leaveOut(`${message.slice(0, -1)}; the client has the type unknown for it.`),
      );
      return `${comment(schema)}${JSON.stringify(name)}: ${type};\n`;
    });
  const directed = components.filter(([name]) => hasDirection(name, document));
  const types = [
    '\n/** The schemas of the contract, as in responses. */\n',
    `export interface Schemas { ${members('response', components).join('')} }\n`,
    ...(directed.length === 0
      ? []
      : [
          '\n/** Schemas that differ in requests: with the members that only requests carry, without the read-only ones. */\n',
          `export interface RequestSchemas { ${members('request', directed).join('')} }\n`,
        ]),
    '\n/** The operations of the contract, by operationId. Headers are the names that a response declares. */\n',
    `export interface Operations { ${operations.map(operationType).join('')} }\n`,
  ].join('');
  const helpers = Object.keys(HELPERS).filter((name) => types.includes(`${name}<`));
  const text = [HEAD, ...helpers.map((name) => HELPERS[name]), types, table(operations)].join('');
  for (const sentence of sentences) report(sentence);
  return format(text, { ...(await resolveConfig(file)), filepath: file });
}

function operationType({ id, comment: text, request, responses }) {
  const statuses = responses.map(({ status, type }) => `${status}: ${type};`);
  return `${text}${JSON.stringify(id)}: { request: ${request}; responses: { ${statuses.join('\n')} } };\n`;
}

function table(operations) {
  const entries = operations.map(({ id, call, responses }) => {
    const bodies = Object.fromEntries(responses.map(({ status, body }) => [status, body]));
    return `${JSON.stringify(id)}: ${JSON.stringify({ ...call, responses: bodies })},\n`;
  });
  return `\nexport const operations: { readonly [Id in keyof Operations]: OperationCall } = { ${entries.join('')} };\n`;
}
