/**
 * Characters that JSON does not escape, but that some reader takes for the end of a line, or a terminal for a command:
 * C1 controls, DEL, the separators of lines and paragraphs, and those that change the direction of text.
 */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A line of JSON that means the same, in characters that cannot be mistaken for the end of a line. */
export function safeLine(line: string): string {
  return line.replaceAll(UNSAFE, escaped);
}

const LEVELS: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

/** A line of JSON as a person reads it. Further lines of a stack are indented, so that none looks like a line of its own. */
export function readableLine(line: string): string {
  const { level, time, context, msg, err, pid: _pid, hostname: _hostname, ...rest } = JSON.parse(line) as Entry;
  const { stack, ...error } = err ?? {};
  const words = [
    new Date(time).toISOString().slice(11, 23),
    LEVELS[level] ?? String(level),
    ...(context === undefined ? [] : [shown(context)]),
    ...(msg === undefined ? [] : [printable(msg)]),
    ...Object.entries({ ...rest, ...(stack === undefined && err) }).map(([name, value]) => `${name}=${shown(value)}`),
  ];
  const more = stack === undefined ? [] : [stack, ...(error.cause === undefined ? [] : [JSON.stringify(error.cause)])];
  const lines = more.flatMap((text) => text.split('\n')).map((text) => `    ${printable(text.trim())}`);
  return `${[words.join(' '), ...lines].join('\n')}\n`;
}

interface Entry {
  readonly level: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly context?: string;
  readonly msg?: string;
  readonly err?: { readonly stack?: string; readonly cause?: unknown };
  readonly pid?: number;
  readonly hostname?: string;
}

/** Without quotes where none are needed. */
function shown(value: unknown): string {
  return printable(typeof value === 'string' && /^[\w.:/@+-]+$/.test(value) ? value : JSON.stringify(value));
}

function printable(text: string): string {
  return text.replaceAll(/[\u0000-\u001f]/g, escaped).replaceAll(UNSAFE, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
