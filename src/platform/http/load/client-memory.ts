import type { Socket } from 'node:net';
import { Overloaded } from '../../errors/overloaded.js';
import type { Outgoing } from '../internals/batched-writes.js';
import type { RequestMemory } from '../request/request-memory.js';
import { type Borrower, type ByteBudget, LARGE_DATA } from './byte-budget.js';

/** What a small part of a body takes beside its bytes: a Buffer of its own. */
const CHUNK_BYTES = 256;

/**
 * The bytes that the process holds for one connection: the body of its current request, a response that is not sent
 * yet, and what its client has yet to read.
 */
export class ClientMemory implements Borrower, Outgoing, RequestMemory {
  waitingSince = 0;
  #bodyBytes = 0;
  #isClosed = false;
  #unsentBytes = 0;
  /** Present while a body is arriving. */
  #rejectBody?: () => void;
  /** Present while something waits until the client has read. */
  #whenSent?: () => void;

  constructor(
    readonly socket: Socket,
    private readonly budget: ByteBudget,
  ) {}

  get bytesAtClient(): number {
    return this.#unsentBytes + (this.#rejectBody ? this.#bodyBytes : 0);
  }

  giveUp(): void {
    if (this.#unsentBytes > 0) {
      this.socket.destroy();
      this.releaseUnsent(this.#unsentBytes);
    }
    this.#rejectBody?.();
    this.endBody();
    this.releaseBody();
  }

  startBody(length: number, reject: () => void): boolean {
    if (!this.budget.hasRoomFor(length)) return false;
    this.waitingSince = performance.now();
    this.#rejectBody = reject;
    return true;
  }

  hold(length: number): boolean {
    const bytes = length + CHUNK_BYTES;
    if (this.#isClosed || !this.budget.hasRoomFor(bytes)) return false;
    this.budget.take(bytes);
    this.#bodyBytes += bytes;
    return true;
  }

  endBody(): void {
    this.#rejectBody = undefined;
  }

  /** The body is needed no longer. */
  releaseBody(): void {
    this.budget.release(this.#bodyBytes);
    this.#bodyBytes = 0;
  }

  /** Must be called when the connection is closed: nothing would release what is held after that. */
  close(): void {
    this.#isClosed = true;
    this.releaseBody();
  }

  assertRoomFor(bytes: number): void {
    if (bytes >= LARGE_DATA && !this.budget.hasRoomFor(bytes)) throw new Overloaded();
  }

  /** Whether the client has yet to read bytes that were written: the kernel takes no more for it. */
  get isUnsent(): boolean {
    return this.#unsentBytes > 0;
  }

  /** Calls `resume` once, when nothing is unsent. */
  whenSent(resume: () => void): void {
    this.#whenSent = resume;
  }

  addUnsent(bytes: number): void {
    this.waitingSince = performance.now();
    this.budget.take(bytes);
    this.#unsentBytes += bytes;
  }

  /** Releases less after `giveUp`, which has released all of them. */
  releaseUnsent(bytes: number): void {
    const released = Math.min(bytes, this.#unsentBytes);
    this.budget.release(released);
    this.#unsentBytes -= released;
    if (this.#unsentBytes > 0) return;
    const resume = this.#whenSent;
    this.#whenSent = undefined;
    resume?.();
  }
}
