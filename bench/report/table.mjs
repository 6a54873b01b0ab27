/** Columns as narrow as possible: the first left-aligned, the others right-aligned. */
export function table(header, rows) {
  const lines = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const print = (line) =>
    line.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  ');
  return [print(header), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(print)].join('\n');
}
