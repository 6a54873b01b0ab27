/** What clients know of one order, by the times of a logical clock. Each fact can only become true, and then stays. */
export class OrderRecord {
  id?: number;
  parcelId?: number;
  /** Requests to do so that were sent, whatever became of them. */
  shipAttempts = 0;
  deleteAttempts = 0;
  sentVersion = 0;
  /** The times since when it is certain. */
  createdAt = Infinity;
  shippedAt = Infinity;
  deletedAt = Infinity;
  /** The times since when it had each version. */
  readonly #versionsAt: number[] = [];

  constructor(
    readonly token: string,
    readonly stockId: number,
  ) {}

  get isOver(): boolean {
    return this.shippedAt < Infinity || this.deletedAt < Infinity;
  }

  /** The least version that it must have for a request that was sent at that time. */
  versionAt(time: number): number {
    return this.#versionsAt.findLastIndex((since) => since < time);
  }

  /** Somebody has seen this version, or the response to its change. */
  hasVersion(version: number, now: number): void {
    for (let each = this.#versionsAt.length; each <= version; each += 1) this.#versionsAt.push(now);
  }

  noteOf(version: number): string {
    return version === 0 ? '' : `${this.token} as of ${version}`;
  }
}
