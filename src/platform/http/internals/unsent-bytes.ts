/* eslint-disable no-underscore-dangle -- Node's names */
import type { Socket } from 'node:net';

/** Internal members of Node's sockets; INTERNALS.md lists them. */
interface Internals {
  readonly _handle: { readonly writeQueueSize: number } | null;
}

/** The bytes that the kernel has yet to take of the pieces whose writing has begun; `bytesWritten` counts them as written. */
export function unsentBytes(socket: Socket): number {
  // Node does not declare this member.
  return (socket as unknown as Internals)._handle?.writeQueueSize ?? 0;
}
