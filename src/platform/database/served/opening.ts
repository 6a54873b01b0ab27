import type { DatabaseUnavailable } from '../tables/database-unavailable.js';

/** Tells when the database of a service is open: if PostgreSQL is unavailable at the start, that is later. */
export interface Opening {
  readonly isOpen: boolean;
  /** The error of a use before the database is open. */
  unavailable(): DatabaseUnavailable;
  /**
   * Runs `prepare` once the database is open: now, or before anything else uses it. Runs it again if the database becomes
   * unavailable before everything is prepared.
   */
  whenOpen<Done extends void | Promise<void>>(prepare: () => Done): Done | undefined;
}
