import type { NextFunction, Request, Response } from 'express';

/** Sets a header when the head is written, as the package `on-headers` does for others: the value that the request names. */
export function elapsed({ headers }: Request, response: Response, next: NextFunction): void {
  const writeHead = response.writeHead.bind(response);
  let hasFired = false;
  response.writeHead = (...args: unknown[]) => {
    if (hasFired) return writeHead(...(args as [number]));
    hasFired = true;
    const value = headers['x-value'];
    if (value === 'none') throw new Error('no value');
    if (value === 'other') response.status(418);
    else if (value) response.setHeader('X-Elapsed', value);
    return writeHead(response.statusCode === 418 ? 418 : (args[0] as number), ...(args.slice(1) as []));
  };
  next();
}
