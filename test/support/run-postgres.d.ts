export interface RunningPostgres {
  /** Of a database of its superuser. */
  readonly url: string;
  stop(): Promise<void>;
}

export function runPostgres(directory: string, alsoRemove?: readonly string[]): Promise<RunningPostgres>;
