export interface Companion {
  /** The first line of its output. */
  readonly line: string | undefined;
  readonly stop: () => Promise<void>;
}

export function startCompanion(script: string, args: readonly string[]): Promise<Companion>;
