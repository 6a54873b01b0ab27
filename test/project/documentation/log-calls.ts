import ts from 'typescript';
import { operatedSources } from '../sources.js';

/** A call that writes a line to the log. */
export interface LogCall {
  /** Of the logger that its file creates. */
  readonly context?: string;
  /** The names of the members that it adds to the line. */
  readonly fields: readonly string[];
}

const METHODS = new Set(['log', 'error', 'warn', 'debug', 'verbose', 'fatal']);

export const logCalls: readonly LogCall[] = operatedSources.flatMap(({ name, text }) => {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const context = /new Logger\('(\w+)'\)/.exec(text)?.[1];
  return loggedIn(file).map((argument) => ({ context, fields: fieldsOf(argument, file) }));
});

/** What a file passes to a logger first. */
function loggedIn(file: ts.SourceFile): ts.Expression[] {
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression, name } = node.expression;
      if (METHODS.has(name.text) && /logger$/i.test(expression.getText())) found.push(node.arguments[0]!);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** None for a text. Throws for an expression that it cannot follow: no field may be missed. */
function fieldsOf(node: ts.Expression, file: ts.SourceFile): string[] {
  if (ts.isParenthesizedExpression(node)) return fieldsOf(node.expression, file);
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return [];
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'message') return [];
  if (ts.isObjectLiteralExpression(node)) return node.properties.flatMap((member) => namesOf(member, file));
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) {
    return fieldsOf(node.right, file);
  }
  if (ts.isIdentifier(node) && isText(node)) return [];
  if (ts.isCallExpression(node)) return fieldsOf(returnedBy(node.expression.getText(), file), file);
  throw new Error(`${file.fileName} logs ${node.getText()}, whose fields cannot be found`);
}

/** Whether it is a parameter of the function around it, with the type string. */
function isText(name: ts.Identifier): boolean {
  const around = ts.findAncestor(name, ts.isArrowFunction);
  const parameter = around?.parameters.find((each) => each.name.getText() === name.text);
  return parameter?.type?.kind === ts.SyntaxKind.StringKeyword;
}

function namesOf(member: ts.ObjectLiteralElementLike, file: ts.SourceFile): string[] {
  return ts.isSpreadAssignment(member) ? fieldsOf(member.expression, file) : [member.name.getText()];
}

/** What a function of the file returns. */
function returnedBy(name: string, file: ts.SourceFile): ts.Expression {
  const declaration = file.statements.filter(ts.isFunctionDeclaration).find((each) => each.name?.text === name);
  const returned = declaration?.body?.statements.find(ts.isReturnStatement)?.expression;
  if (!returned) throw new Error(`${file.fileName} logs what ${name} returns, which cannot be found`);
  return returned;
}
