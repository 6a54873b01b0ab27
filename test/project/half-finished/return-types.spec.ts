import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import type { Contract } from '../../../src/platform/contract/contract.js';
import { readContract } from '../../../src/platform/contract/read-contract.js';
import { mayReturn, type Returned } from '../../../src/platform/http/handlers/return-type.js';
import { baseContract, getOf, json, writeContract } from '../../platform/constructs/base-contract.js';
import { type Source, sources } from '../sources.js';

const METHODS = new Set(['Get', 'Post', 'Put', 'Patch', 'Delete']);

/** What is sent with them may differ from what the handler returns. */
const CONVERTING = new Set(['Redirect', 'UseInterceptors']);

/** Decorators that convert nothing; those of the application may apply one that does. */
function harmlessIn(file: ts.SourceFile): Set<string> {
  const imported = file.statements.filter(ts.isImportDeclaration).flatMap(({ importClause, moduleSpecifier }) => {
    const bindings = importClause?.namedBindings;
    if (!/^'@nestjs\/|\/platform\//.test(moduleSpecifier.getText()) || !bindings || !ts.isNamedImports(bindings))
      return [];
    return bindings.elements.filter(({ name, propertyName }) => !CONVERTING.has((propertyName ?? name).text));
  });
  return new Set(imported.map(({ name }) => name.text));
}

const KEYWORDS = new Map<ts.SyntaxKind, Returned>([
  [ts.SyntaxKind.NumberKeyword, 'a number'],
  [ts.SyntaxKind.BigIntKeyword, 'a bigint'],
  [ts.SyntaxKind.StringKeyword, 'a text'],
  [ts.SyntaxKind.BooleanKeyword, 'a boolean'],
  [ts.SyntaxKind.VoidKeyword, 'nothing'],
  [ts.SyntaxKind.UndefinedKeyword, 'nothing'],
]);

const GENERICS = new Map<string, Returned>([
  ['Array', 'a list'],
  ['ReadonlyArray', 'a list'],
  ['Map', 'a Map or Set'],
  ['Set', 'a Map or Set'],
  ['Generator', 'a synchronous generator'],
  ['AsyncGenerator', 'a stream'],
  ['AsyncIterable', 'a stream'],
  ['AsyncIterableIterator', 'a stream'],
]);

/** All that a type may be; undefined where its text does not tell. */
function returnedBy(type: ts.TypeNode): Returned[] | undefined {
  const keyword = KEYWORDS.get(type.kind);
  if (keyword) return [keyword];
  if (ts.isArrayTypeNode(type) || ts.isTupleTypeNode(type)) return ['a list'];
  if (ts.isTypeOperatorNode(type)) return type.operator === ts.SyntaxKind.ReadonlyKeyword ? ['a list'] : undefined;
  if (ts.isLiteralTypeNode(type)) return type.literal.kind === ts.SyntaxKind.NullKeyword ? ['null'] : undefined;
  if (ts.isParenthesizedTypeNode(type)) return returnedBy(type.type);
  if (ts.isUnionTypeNode(type)) {
    const all = type.types.map(returnedBy);
    return all.every((one) => one !== undefined) ? all.flat() : undefined;
  }
  if (!ts.isTypeReferenceNode(type)) return undefined;
  const name = type.typeName.getText();
  const [resolved] = type.typeArguments ?? [];
  if (name === 'Promise' && resolved) return returnedBy(resolved);
  // A Set without arguments is a class of the application.
  const generic = resolved && GENERICS.get(name);
  return generic && [generic];
}

/** The name and the first argument of a decorator. */
function called({ expression }: ts.Decorator): [name: string, first?: ts.Expression] {
  return ts.isCallExpression(expression)
    ? [expression.expression.getText(), expression.arguments[0]]
    : [expression.getText()];
}

/** The text of a path; undefined for anything but a literal. */
const pathIn = (path?: ts.Expression) => (path ? (ts.isStringLiteralLike(path) ? path.text : undefined) : '');

/** `file:line` and the handlers whose type fits no success of their operation, unless an interceptor may convert it. */
function misfits({ name, text }: Pick<Source, 'name' | 'text'>, { basePath, operations }: Contract): string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const harmless = harmlessIn(file);
  return file.statements.filter(ts.isClassDeclaration).flatMap((type) => {
    const ofClass = (ts.getDecorators(type) ?? []).map(called);
    const controller = ofClass.find(([decorator]) => decorator === 'Controller');
    if (!controller || ofClass.some(([decorator]) => !harmless.has(decorator))) return [];
    return type.members.filter(ts.isMethodDeclaration).flatMap((method) => {
      const ofMethod = (ts.getDecorators(method) ?? []).map(called);
      const route = ofMethod.find(([decorator]) => METHODS.has(decorator));
      if (!route || !method.type || ofMethod.some(([decorator]) => !harmless.has(decorator))) return [];
      const parts = [basePath, pathIn(controller[1]), pathIn(route[1])];
      if (parts.includes(undefined)) return [];
      const path = parts.join('/').replaceAll(/\/+/g, '/');
      const declared = path
        .replace(/\/$/, '')
        .replaceAll(/\\(.)|:(\w+)/g, (_, escaped, parameter) => escaped ?? `{${parameter}}`);
      const operation = operations.find((one) => one.method === route[0].toUpperCase() && one.path === declared);
      const returned = returnedBy(method.type);
      if (!operation || !returned || mayReturn(operation.responses, returned)) return [];
      const { line } = file.getLineAndCharacterOfPosition(method.name.getStart());
      return [
        `${name}:${line + 1} ${method.name.getText()}(): ${method.type.getText()} fits no success of ${operation.id}`,
      ];
    });
  });
}

describe('the return type of a handler', () => {
  const own = readContract('openapi.yaml');
  /** A start cannot see into a promise, and TypeScript tells it nothing of void. */
  it('fits a success of its operation, because each call would be a 500', () => {
    const isIntercepted = sources.some(({ text }) => /APP_INTERCEPTOR|useGlobalInterceptors/.test(text));
    expect(isIntercepted ? [] : sources.flatMap((source) => misfits(source, own))).toEqual([]);
    const { text } = sources.find(({ name }) => name === 'pets/pets.controller.ts')!; // the first group
    const broken = text.replace(': Promise<Pet[]>', ': Promise<void>').replaceAll(': Promise<Pet>', ': Promise<Pet[]>');
    expect(misfits({ name: 'a.ts', text: broken }, own)).toEqual([
      expect.stringMatching(/^a\.ts:\d+ list\(\): Promise<void> fits no success of listPets$/),
      expect.stringMatching(/^a\.ts:\d+ create\(\): Promise<Pet\[\]> fits no success of createPet$/),
      expect.stringMatching(/^a\.ts:\d+ get\(\): Promise<Pet\[\]> fits no success of getPet$/),
    ]);
  });

  const object = { type: 'object', additionalProperties: true };
  const list = json({ type: 'array', items: object });
  const csv = { 'text/csv': { schema: { type: 'string' } } };
  const either = { ...json(object), ...csv };

  it.each<[string, number, object | undefined]>([
    ['Promise<Thing>', 0, json(object)],
    ['unknown', 0, json(object)],
    ['never', 0, json(object)],
    ['number | Thing', 0, json(object)],
    ['Promise<Thing[]>', 0, list],
    ['Promise<readonly Thing[]>', 0, list],
    ['Promise<Thing | null>', 0, json(object)],
    ['Promise<null>', 0, json({ ...object, nullable: true })],
    ['AsyncGenerator<string>', 0, csv],
    ['Promise<Thing[]> | AsyncIterable<string>', 0, { ...list, ...csv }],
    ['AsyncIterable<string>', 0, either],
    ['void', 0, undefined],
    ['Promise<void>', 0, undefined],
    ['Promise<keyof Thing>', 0, json({ type: 'string' })],
    ['Promise<Set>', 0, json(object)],
    ['Generator', 0, json(object)],
    ['Promise<number>', 1, json(object)],
    ['Promise<string | number>', 1, json(object)],
    ['Promise<null>', 1, json(object)],
    ['void', 1, json(object)],
    ['Promise<void>', 1, csv],
    ['Promise<Thing[]>', 1, json(object)],
    ['Promise<Map<string, Thing>>', 1, json(object)],
    ['AsyncGenerator<Thing>', 1, list],
    ['AsyncIterable<string>', 1, json(object)],
    ['Promise<boolean>', 1, csv],
    ['Promise<number>', 1, undefined],
  ])('breaks the rule above with %s in %d places where the contract has %j', (type, count, content) => {
    const contract = baseContract('3.0.3');
    getOf(contract).responses[200].content = content;
    const imports = "import { Controller, Get, UseInterceptors } from '@nestjs/common';";
    const text = (more: string) =>
      `${imports} @Controller('things') class Things { @Get(':thingId') ${more} get(): ${type} {} }`;
    const all = readContract(writeContract(contract));
    expect(misfits({ name: 'a.ts', text: text('') }, all)).toHaveLength(count);
    expect(misfits({ name: 'a.ts', text: text('@UseInterceptors(Wrapping)') }, all)).toEqual([]);
    for (const declaration of [
      "import { Wrapped } from './wrapped.js'",
      "import Wrapped from 'wrapped'",
      'const Wrapped = wrap',
    ])
      expect(misfits({ name: 'a.ts', text: `${declaration}; ${text('@Wrapped()')}` }, all)).toEqual([]);
    // Nothing tells which operation it is for.
    for (const path of ['PATH', "['a', 'b']", "{ path: 'things' }"]) {
      const elsewhere = text('').replace("'things'", `'things/:thingId'`).replace("':thingId'", path);
      expect(misfits({ name: 'a.ts', text: elsewhere }, all)).toEqual([]);
    }
  });
});
