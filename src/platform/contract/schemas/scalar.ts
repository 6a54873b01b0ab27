/** The rule of a value without members. */
export interface Scalar {
  readonly isValid: (value: unknown) => boolean;
  /** Completes "name ...": `must be an integer from 1 to 100`. */
  readonly demand: string;
}
