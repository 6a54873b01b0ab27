const lines: string[] = [];

/** Records all calls in order; only one request runs at a time. */
export function note(line: string): void {
  lines.push(line);
}

export function takeJournal(): string[] {
  return lines.splice(0);
}
