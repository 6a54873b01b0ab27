import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { type Source, sources } from '../sources.js';

/** Decorators that hand over all parts of a request at once; with the name of a part, they hand over one value. */
const OF_ALL = new Set(['Body', 'Query', 'Param', 'Headers']);

/** Whether Nest creates the value of the parameter from the class that its type names. */
function isOfAll(parameter: ts.ParameterDeclaration): boolean {
  return (ts.getDecorators(parameter) ?? []).some(({ expression }) => {
    if (!ts.isCallExpression(expression) || !OF_ALL.has(expression.expression.getText())) return false;
    const [first] = expression.arguments;
    return first === undefined || !ts.isStringLiteralLike(first);
  });
}

/** Names that exist at run time: classes of the file, and what it imports without `type`. */
function valuesOf(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  for (const statement of file.statements) {
    if (ts.isClassDeclaration(statement) && statement.name) names.add(statement.name.text);
    const clause = ts.isImportDeclaration(statement) ? statement.importClause : undefined;
    if (!clause || clause.isTypeOnly) continue;
    if (clause.name) names.add(clause.name.text);
    const bindings = clause.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    for (const { isTypeOnly, name } of bindings.elements) if (!isTypeOnly) names.add(name.text);
  }
  return names;
}

/** `file:line parameter` of each whole body, query or path whose type is neither a class at run time nor `unknown`. */
function withoutClass({ name, text }: Pick<Source, 'name' | 'text'>): string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const values = valuesOf(file);
  const isKnown = (type: ts.TypeNode | undefined): boolean =>
    type?.kind === ts.SyntaxKind.UnknownKeyword ||
    (type !== undefined && ts.isTypeReferenceNode(type) && !type.typeArguments && values.has(type.typeName.getText()));
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isParameter(node) && isOfAll(node) && !isKnown(node.type)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${name}:${line + 1} ${node.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

describe('a parameter of a handler', () => {
  it('names the class of its DTO, because Nest hands over unconverted values without one', () => {
    expect(sources.flatMap(withoutClass)).toEqual([]);
    const pets = sources.find(({ name }) => name === 'pets/pets.controller.ts');
    expect(withoutClass({ name: 'a.ts', text: pets!.text.replace(/^import .*pets\.dto\.js';$/m, '') })).toHaveLength(2);
  });

  it.each([
    ['@Body() body: NewThing', 0, 'import'],
    ['@Body() body: unknown', 0, 'import'],
    ['@Body() body: Local', 0, 'import'],
    ["@Query('cursor') cursor: string", 0, 'import'],
    ['@Request() request: NewThing', 0, 'import type'],
    ['@Body() body: Readonly<NewThing>', 1, 'import'],
    ['@Body() body: Partial<NewThing>', 1, 'import'],
    ['@Body() body: NewThing | undefined', 1, 'import'],
    ['@Body() body: Interface', 1, 'import'],
    ['@Body() body', 1, 'import'],
    ['@Body() body: NewThing', 1, 'import type'],
    ['@Query(new ParsePipe()) query: NewThing', 1, 'import type'],
    ['@Param() path: NewThing', 1, 'import type'],
  ])('breaks the rule above with %j in %d places, imported with %s', (parameter, count, keyword) => {
    const text = `${keyword} { NewThing } from './things.dto.js';
      interface Interface {}
      class Local {}
      class Things { @Post() add(${parameter}): void {} }`;
    expect(withoutClass({ name: 'a.ts', text })).toHaveLength(count);
  });
});
