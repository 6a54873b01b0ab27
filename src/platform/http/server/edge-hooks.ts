import type { ServerResponse } from 'node:http';
import type { RequestIds } from '../outcomes/request-id.js';
import type { EdgeResponse } from '../request/edge-request.js';
import type { OperationRoute } from '../request/operation-route.js';

/** What the server does at certain moments of a request. */
export interface EdgeHooks {
  readonly requestIds: RequestIds;
  readonly isDraining: () => boolean;
  /** Called with the end of each body, before anything is done for it. */
  readonly onBodyEnd: () => void;
  /** Called when a handler has ended a response, which may not be sent yet. */
  readonly onEnd: (response: ServerResponse) => void;
  /** Called with each response that was passed to its connection, and the bytes of its body. */
  readonly onAnswer: (response: EdgeResponse, bytes: number) => void;
  /** Called instead of a response that must not be written, with the reason. */
  readonly refuseWrite: (response: EdgeResponse, reason: Error) => void;
  /** Throws for headers that break the contract. */
  readonly assertHeaders: (response: EdgeResponse, operation: OperationRoute) => void;
  /** Throws for a head that breaks the contract. Whether the body must be checked as a whole before it is sent. */
  readonly assertHead: (response: EdgeResponse, operation: OperationRoute) => boolean;
  /** Throws for a body whose length its head contradicts. */
  readonly assertLength: (response: EdgeResponse, operation: OperationRoute, bytes: number, hasEnded: boolean) => void;
  /** The body to send. Throws for a response that breaks the contract. */
  readonly checkedBody: (response: EdgeResponse, operation: OperationRoute, body: Buffer) => Buffer;
}
