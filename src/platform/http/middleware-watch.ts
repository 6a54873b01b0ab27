import type { Express } from 'express';
import { StartError } from '../process/start-error.js';

/** Express' body parsers: what they have read, the contract's reader cannot read again. */
const BODY_PARSERS = new Set(['jsonParser', 'urlencodedParser', 'rawParser', 'textParser']);

/** A path without any of Express' patterns. */
const PLAIN_PATH = /^\/[\w-]+(\/[\w./-]*)?$/;

/**
 * Sees to it that no middleware is skipped without a word: one that may concern operations of the contract is counted, so
 * that they take the way through Express; one that could not be honoured stops the start with its name.
 */
export class MiddlewareWatch {
  #isPresent = false;
  #isTooLate = false;
  #isOff = false;

  constructor(private readonly basePath: string) {}

  /** Whether a middleware may concern operations of the contract. */
  get isPresent(): boolean {
    return this.#isPresent;
  }

  /** Watches everything that is registered at an Express application. */
  watch(app: Express): void {
    const use = app.use.bind(app) as (...args: unknown[]) => Express;
    app.use = ((...args: unknown[]) => {
      if (!this.#isOff) this.note(args);
      return use(...args);
    }) as Express['use'];
  }

  /** `args` are those of Express' `use`; without any, something that runs for every request. */
  note(args: readonly unknown[]): void {
    if (isElsewhere(args, this.basePath)) return;
    const names = namesOf(args);
    const parser = names.find((name) => BODY_PARSERS.has(name));
    if (parser) {
      throw new StartError(
        `The middleware ${parser} would read request bodies before the service validates them; mount it outside ${this.basePath}.`,
      );
    }
    if (this.#isTooLate) {
      throw new StartError(
        `The middleware ${names.join(', ')} is registered after the routes and would never run for operations of the contract; register it before init().`,
      );
    }
    this.#isPresent = true;
  }

  /** From here on, a middleware would come after the routes. */
  close(): void {
    this.#isTooLate = true;
  }

  /** Registers what is no middleware of anybody's. */
  unwatched<T>(register: () => T): T {
    this.#isOff = true;
    try {
      return register();
    } finally {
      this.#isOff = false;
    }
  }
}

/** Whether arguments of Express' `use` name a path that plainly has nothing to do with the contract's. */
function isElsewhere([path]: readonly unknown[], basePath: string): boolean {
  return typeof path === 'string' && PLAIN_PATH.test(path) && !isSameSegment(path, basePath);
}

/** Express takes no notice of case. */
function isSameSegment(path: string, other: string): boolean {
  return path.split('/')[1]!.toLowerCase() === other.split('/')[1]!.toLowerCase();
}

/** The names of the functions among arguments of Express' `use`. */
function namesOf(args: readonly unknown[]): string[] {
  return args
    .flat(Infinity)
    .filter((handler) => typeof handler === 'function')
    .map((handler) => handler.name || 'anonymous');
}
