import { Injectable } from '@nestjs/common';

/** Records calls in order. */
@Injectable()
export class Trace {
  #events: string[] = [];

  note(event: string): void {
    this.#events.push(event);
  }

  take(): string[] {
    return this.#events.splice(0);
  }
}
