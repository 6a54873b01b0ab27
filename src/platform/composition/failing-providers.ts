import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { types } from 'node:util';
import { DomainError } from '../errors/domain-error.js';
import { reasonOf } from '../errors/reason-of.js';
import { placeInSource } from '../process/place-in-source.js';
import { findRoot } from '../process/project-root.js';
import { StartError } from '../process/start-error.js';
import { REMEDY } from './failing-hooks.js';

/**
 * What Nest's injector has called, and where that failed: `new Crates (file:///app/dist/crates.js:7:11)`. Below an asynchronous
 * one there may be frames of Node.
 */
const CALLED =
  /^ +at (?:async )?(?:new (?<type>\w+)|.*useFactory.*?) \((?<place>[^()]+):\d+\)(?:\n +at .*\(node:.*\))*\n +at (?:async )?_?Injector\.instantiateClass\b/m;

/**
 * The StartError for an error of a provider's constructor or factory: one sentence that names it. Undefined for an error that
 * says what to do, or is not known to be of a provider.
 */
export function providerFault(error: unknown): StartError | undefined {
  if (!types.isNativeError(error) || error instanceof StartError || error instanceof DomainError) return undefined;
  const called = CALLED.exec(error.stack ?? '')?.groups;
  if (!called?.place) return unnamed(error);
  const { type, place } = called;
  const subject = type === undefined ? `The factory of a provider at ${inProject(place)}` : placed(type);
  return new StartError(`${subject} failed at the start (${reasonOf(error)}); ${REMEDY}.`, { cause: error });
}

/** An error of the network or a file, whose stack has no frame of what has called it; `runCommand` has words for the others. */
function unnamed(error: NodeJS.ErrnoException): StartError | undefined {
  const { code = '', syscall } = error;
  if (syscall === undefined || ['listen', 'getaddrinfo'].includes(syscall) || ['EMFILE', 'ENFILE'].includes(code))
    return undefined;
  const remedy = 'look for the factory of a provider that needs it, and correct that, or what it needs';
  return new StartError(`A provider failed at the start (${reasonOf(error)}); ${remedy}.`, { cause: error });
}

function placed(type: string): string {
  const place = placeInSource(type);
  return `${place === undefined ? '' : `${place} `}new ${type}()`;
}

function inProject(place: string): string {
  return relative(findRoot(), place.startsWith('file:') ? fileURLToPath(place) : place);
}
