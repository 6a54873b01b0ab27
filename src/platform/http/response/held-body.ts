import { Overloaded } from '../../errors/overloaded.js';
import type { RequestMemory } from '../request/request-memory.js';
import { bytesOf } from './write-arguments.js';

/** A body in parts, none of which is sent before the whole body has been checked. */
export class HeldBody {
  readonly #parts: Buffer[] = [];
  #bytes = 0;

  /** Adds the part that `write` or `end` is called with. Throws Overloaded when there is no room for it. */
  add(args: readonly unknown[], memory: RequestMemory | undefined): void {
    const part = bytesOf(args);
    if (memory?.hold(part.length) === false) throw new Overloaded();
    this.#bytes += part.length;
    this.#parts.push(part);
  }

  whole(): Buffer {
    return Buffer.concat(this.#parts, this.#bytes);
  }
}
