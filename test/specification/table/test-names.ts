import ts from 'typescript';

/** The names of the tests in a source text, with the placeholders of tables. Throws unless a name is a string literal. */
export function readTestNames(source: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) names.push(nameOf(node));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('test.ts', source, ts.ScriptTarget.Latest, true));
  return names;
}

/** `it(...)`, and `it.each(...)(...)` with or without types. */
function isTest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === 'it';
  return ts.isCallExpression(callee) && callee.expression.getText() === 'it.each';
}

function nameOf({ arguments: [name] }: ts.CallExpression): string {
  if (name && ts.isStringLiteralLike(name)) return name.text;
  throw new Error(`the name of a test is not a string literal: ${name?.getText()}`);
}
