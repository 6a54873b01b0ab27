/** Milliseconds for which a client may keep bytes in memory before it may lose them. */
const PATIENCE = 1000;

/** Bytes from which data counts as large. A quarter of the budget is reserved for small data. */
export const LARGE_DATA = 65_536;

/** Bytes from which a slow client gives way to larger data: otherwise many such clients would keep larger data out. */
const CONSIDERABLE = LARGE_DATA / 4;

/** Milliseconds between two searches for such clients: there may be thousands of connections. */
const SEARCH_INTERVAL = 10;

/** A client that holds less than this part of the slow clients' average is not the reason for the lack of room. */
const SMALL_PART = 1 / 8;

/** A client for which bytes are in memory. */
export interface Borrower {
  /** Bytes that stay until the client sends or reads more. */
  readonly bytesAtClient: number;
  /** Since when, as `performance.now()`. */
  readonly waitingSince: number;
  /** Releases these bytes. The client loses its request or its connection. */
  giveUp(): void;
}

/** The memory that data in flight may take. When it is used up, the clients that are slow with the most data give way. */
export class ByteBudget {
  #left: number;
  readonly #reserve: number;
  #nextSearch = 0;

  constructor(
    private readonly limit: number,
    private readonly borrowers: () => Iterable<Borrower>,
  ) {
    this.#left = limit;
    this.#reserve = limit / 4;
  }

  /** Whether `bytes` are left, if need be after giving up on slow clients. */
  hasRoomFor(bytes: number): boolean {
    const needed = bytes < LARGE_DATA ? bytes : bytes + this.#reserve;
    return this.#left >= needed || this.#makeRoomFor(needed, bytes);
  }

  get isHalfUsed(): boolean {
    return this.#left < this.limit / 2;
  }

  take(bytes: number): void {
    this.#left -= bytes;
  }

  release(bytes: number): void {
    this.#left += bytes;
  }

  /** Gives up on clients that hold more than `bytes`, or a considerable part of them, until `needed` are left. */
  #makeRoomFor(needed: number, bytes: number): boolean {
    const now = performance.now();
    if (now < this.#nextSearch) return false;
    this.#nextSearch = now + SEARCH_INTERVAL;
    const least = Math.min(bytes, CONSIDERABLE);
    const slow = [...this.borrowers()]
      .filter((borrower) => borrower.bytesAtClient > least && now - borrower.waitingSince >= PATIENCE)
      .toSorted((one, other) => other.bytesAtClient - one.bytesAtClient);
    const average = slow.reduce((sum, { bytesAtClient }) => sum + bytesAtClient, 0) / slow.length;
    for (const borrower of slow) {
      // While the process itself is slow, this may be a client that reads at once.
      if (borrower.bytesAtClient < average * SMALL_PART) return false;
      borrower.giveUp();
      if (this.#left >= needed) return true;
    }
    return false;
  }
}
