import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';

/** A guard that responds itself, as a handler cannot. */
export function responds(respond: (way: string, response: Response) => void): CanActivate {
  return {
    canActivate(context: ExecutionContext): Promise<boolean> {
      const http = context.switchToHttp();
      respond(http.getRequest<Request<{ way: string }>>().params.way, http.getResponse());
      // Never settles: the request has its response.
      return new Promise(() => {});
    },
  };
}
