import { compileCheck } from '../schemas/compile-check.js';
import { withSureParts } from '../schemas/schema-type.js';
import type { ContractNode } from '../source/contract-node.js';
import type { Serialiser } from './serialiser.js';

/** A message may be long: it has a sentence for each violation. */
const MESSAGE = 'A sentence; another one. '.repeat(1000);

/** A message may also name what a client has sent. */
const LIMITS_OF_TEXT = ['maxLength', 'pattern', 'format', 'enum', 'const'];

const MEMBERS = ['code', 'message', 'status'] as const;

interface ErrorProbe {
  readonly code: unknown;
  readonly message: string;
  readonly status: number;
}

/** Every error is an Error body. One that its own schema refuses would make each bad request a 500. */
export function checkError(
  response: ContractNode,
  json: ContractNode | undefined,
  serialise: Serialiser | undefined,
): void {
  if (!json || !serialise) return response.failAtName('the body of an error must be application/json');
  const schema = json.need('schema');
  const codes = partsOf(schema)
    .flatMap((part) => part.get('properties')?.get('code') ?? [])
    .flatMap(partsOf);
  const listed = codes.flatMap(valuesOf);
  const messages = withSureParts(schema).flatMap((part) => part.get('properties')?.get('message') ?? []);
  if (messages.flatMap(withSureParts).some((part) => LIMITS_OF_TEXT.some((keyword) => part.get(keyword))))
    failMessage(schema);
  const probes = listed.length > 0 ? listed : ['BAD_REQUEST'];
  const status = Number(response.key);
  const refusals = new Set(probes.map((code) => refusalOf(schema, serialise, { code, message: MESSAGE, status })));
  if (refusals.has(undefined)) return;
  if (refusals.has('lost'))
    schema.fail(
      'the schema of an error must declare "code", "message" and "status": what it does not declare is not sent',
    );
  if (!refusals.has('code')) failMessage(schema);
  // Only the feature knows which codes match a pattern. `checkOwnErrors` tries those that the service itself sends.
  if (listed.length > 0 || codes.some(isNoText)) schema.fail('the schema of an error must accept a text as "code"');
}

function failMessage(schema: ContractNode): never {
  return schema.fail('the schema of an error must accept any text as "message", beside "code" and "status"');
}

/** A schema, and those that it is made of. */
function partsOf(schema: ContractNode): ContractNode[] {
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) => schema.get(keyword)?.children() ?? []);
  return [schema, ...parts.flatMap(partsOf)];
}

function valuesOf(code: ContractNode): unknown[] {
  return code.get('const')
    ? [code.need('const').value]
    : (code.get('enum')?.children() ?? []).map(({ value }) => value);
}

function isNoText(code: ContractNode): boolean {
  const type = code.get('type')?.value;
  return type !== undefined && ![type].flat().includes('string');
}

/** Whether the schema refuses only the code of an Error, or more, or leaves out a member; undefined if it does neither. */
function refusalOf(
  schema: ContractNode,
  serialise: Serialiser,
  error: ErrorProbe,
): 'code' | 'more' | 'lost' | undefined {
  try {
    const sent = JSON.parse(serialise(error)) as Partial<ErrorProbe>;
    if (MEMBERS.some((name) => sent[name] !== error[name])) return 'lost';
    // A code that is not text is never sent.
    return typeof error.code === 'string' ? undefined : 'code';
  } catch {
    const sentences: string[] = [];
    compileCheck(schema, 'response').explain(error, '', sentences);
    return sentences.length > 0 && sentences.every((one) => one.startsWith('code ')) ? 'code' : 'more';
  }
}
