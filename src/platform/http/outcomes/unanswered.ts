import { Logger } from '@nestjs/common';
import type { Server } from 'node:http';
import type { EdgeRequest, EdgeResponse } from '../request/edge-request.js';

/**
 * Warns of requests without a response for which only the application can be the reason: they had arrived at one check, and
 * have no response at the next one, `period` milliseconds later. One line names the first of each operation. Unlike a timer
 * for each request, the checks cost a request nothing.
 */
export function reportUnanswered(server: Server, served: () => Iterable<EdgeResponse>, period: number): void {
  const logger = new Logger('EdgeServer');
  /** Those of the last check, and whether a line has counted them. */
  const seen = new WeakMap<EdgeRequest, 'once' | 'counted'>();

  const check = (): void => {
    const late = new Map<string | undefined, EdgeRequest[]>();
    // A stream, such as one of events, has its head long before its end. While a body arrives, its client is slow.
    for (const { req, headersSent, writableEnded } of served()) {
      if (headersSent || writableEnded || !req.complete) continue;
      if (seen.get(req) === 'once') {
        const id = req.operation?.id;
        late.set(id, [...(late.get(id) ?? []), req]);
      }
      seen.set(req, seen.has(req) ? 'counted' : 'once');
    }
    for (const [operationId, requests] of late) {
      logger.warn(
        { operationId, requestId: requests[0]?.requestId, count: requests.length },
        `Requests have had no response for ${period} ms; look for a promise that never settles, an Observable that never completes, or an exception filter that sends nothing, and give what the handler waits for a timeout.`,
      );
    }
  };

  server.once('listening', () => {
    const timer = setInterval(check, period).unref();
    server.once('close', () => clearInterval(timer));
  });
}
