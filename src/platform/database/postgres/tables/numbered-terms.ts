import { quote } from '../../tables/columns/table-columns.js';
import type { Term } from '../../tables/conditions.js';

interface NumberedTerm {
  readonly term: Term;
  /** The quoted name of the column. */
  readonly name: string;
  readonly parameter: string;
  readonly text: string;
}

/** The terms with their parameters; `first` is the number of the first one. */
export function numbered(terms: readonly Term[], first: number): NumberedTerm[] {
  let next = first;
  return terms.map((term) => {
    const name = quote(term.column.name);
    if (term.operator === 'is null') return { term, name, parameter: '', text: `${name} IS NULL` };
    const parameter = `$${next}`;
    next += 1;
    // One shape for every length of the list.
    const text = term.operator === 'in' ? `${name} = ANY(${parameter})` : `${name} ${term.operator} ${parameter}`;
    return { term, name, parameter, text };
  });
}

/** The values of those parameters. */
export function valuesOf(terms: readonly Term[]): unknown[] {
  return terms.filter(({ operator }) => operator !== 'is null').map(({ value }) => value);
}
