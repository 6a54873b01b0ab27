/** Milliseconds within which every request gets a response, /ready shows an outage, and the service recovers. */
export const PROMISED = 2_000;

/** The figures of one item; some must keep a promise. */
export class Report {
  figures = [];

  /** `unit` is "ms", or undefined for a count. */
  figure(what, value, unit) {
    this.figures.push({ what, value: rounded(value), ...(unit && { unit }) });
  }

  promise(what, isKept, value, unit) {
    this.figures.push({ what, value: rounded(value), ...(unit && { unit }), isKept });
  }

  /** Promises that something never happens. */
  none(what, count) {
    this.promise(what, count === 0, count);
  }

  /** Promises that something takes less than PROMISED. */
  inTime(what, milliseconds) {
    this.promise(what, milliseconds < PROMISED, milliseconds, 'ms');
  }

  get isKept() {
    return this.figures.every(({ isKept }) => isKept !== false);
  }

  get text() {
    return this.figures.map((figure) => `${MARKS.get(figure.isKept)}${figure.what}: ${shown(figure)}\n`).join('');
  }
}

const MARKS = new Map([
  [true, '  kept    '],
  [false, '  BROKEN  '],
  [undefined, '          '],
]);

const rounded = (value) => (typeof value === 'number' ? Math.round(value) : value);

function shown({ value, unit }) {
  if (unit === 'ms') return value < 1000 ? `${value} ms` : `${(value / 1000).toFixed(1)} s`;
  if (typeof value === 'number') return value.toLocaleString('en');
  const parts = Object.entries(value).map(([name, count]) => `${count} × ${name}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}
