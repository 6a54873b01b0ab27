export interface Companion {
  /** Its first line. */
  readonly line: string | undefined;
  readonly stop: () => Promise<void>;
}

export function startCompanion(script: string, args: readonly string[]): Promise<Companion>;
