export interface RunningPostgres {
  /** The address of a database, as superuser. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface PostgresOptions {
  readonly alsoRemove?: readonly string[];
  readonly primary?: { readonly url: string; readonly directory: string };
  readonly settings?: Readonly<Record<string, string | number>>;
  readonly walDirectory?: string;
}

export function runPostgres(directory: string, options?: PostgresOptions): Promise<RunningPostgres>;
