interface DriverError extends Error {
  readonly code?: string;
}

/** The driver's error, of which TypeORM's QueryFailedError is a copy. */
export function driverErrorOf(error: unknown): DriverError {
  return ((error as { driverError?: unknown }).driverError ?? error) as DriverError;
}
