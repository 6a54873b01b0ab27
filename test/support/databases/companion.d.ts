export interface Companion {
  /** What it has said first. */
  readonly line: string | undefined;
  readonly stop: () => Promise<void>;
}

export function startCompanion(script: string, args: readonly string[]): Promise<Companion>;
