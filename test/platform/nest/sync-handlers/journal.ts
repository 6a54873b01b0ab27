const lines: string[] = [];

/** Notes what ran, in order; one request is under way at a time. */
export function note(line: string): void {
  lines.push(line);
}

export function takeJournal(): string[] {
  return lines.splice(0);
}
