/** Maximum statements kept per table; others are prepared each time. Features can combine conditions without limit. */
const MAX_SHAPES = 64;

/** Statements by their shape. */
export class PreparedShapes<Statement> {
  readonly #statements = new Map<string, Statement>();

  get(shape: string, prepare: (isKept: boolean) => Statement): Statement {
    let statement = this.#statements.get(shape);
    if (statement) return statement;
    const isKept = this.#statements.size < MAX_SHAPES;
    statement = prepare(isKept);
    if (isKept) this.#statements.set(shape, statement);
    return statement;
  }
}
