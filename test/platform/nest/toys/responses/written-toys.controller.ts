import { ConflictException, Controller, Get, Param, Req, Res, UseInterceptors } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EventEmitter, once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isObservable, type Observable, of, tap } from 'rxjs';

const WRONG = { wrong: true };

const WAYS: Record<string, (response: Response) => unknown> = {
  json: (response) => response.status(200).json(WRONG),
  send: (response) => response.send(WRONG),
  end: (response) => response.type('application/json').end('{"wrong":true}'),
  write: (response) => (response.type('json').write('{"wrong":'), response.end('true}')),
  'write-head': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"wrong":true}'),
  flush: (response) => (response.flushHeaders(), response.end('{"wrong":true}')),
  pipe: (response) => Readable.from(['{"wrong":', 'true}']).pipe(response),
  pipeline: (response) => pipeline(Readable.from(['{"wrong":', 'true}']), response),
  later: async (response) => {
    await new Promise(setImmediate);
    response.json(WRONG);
  },
  'and-fails': (response) => {
    response.json(WRONG);
    throw new ConflictException();
  },
  'in-an-event': (response) => inEvent(() => response.writeHead(200).end('{"wrong":true}')),
  'undeclared-in-an-event': (response) => inEvent(() => response.writeHead(418).end()),
  'with-callbacks': async (response) => {
    await new Promise((resolve) => response.write('{"wrong":', resolve));
    await new Promise<void>((resolve) => response.end('true}', resolve));
  },
  'in-an-observable': (response) => of(undefined).pipe(tap(() => response.json(WRONG))),
  twice: (response) => (response.end('{"wrong":true}'), response.end('{"wrong":true}')),
};

/** An error there would end the process. */
async function inEvent(listener: () => void): Promise<void> {
  const events = new EventEmitter();
  setImmediate(() => events.emit('ready'));
  events.on('ready', listener);
  await once(events, 'ready');
}

async function write(way: string, response: Response): Promise<unknown> {
  const written = await WAYS[way]!(response);
  return isObservable(written) ? written : undefined;
}

class Passing implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle();
  }
}

/** Handlers that write the response themselves, in every way that Express and Node have. */
@Controller('written-toys')
export class WrittenToysController {
  @Get(':way')
  get(@Param('way') way: string, @Res({ passthrough: true }) response: Response): unknown {
    const written = WAYS[way]!(response);
    return written instanceof Promise || isObservable(written) ? written : undefined;
  }

  @Get(':way/by-nest')
  @UseInterceptors(Passing)
  getByNest(@Param('way') way: string, @Res({ passthrough: true }) response: Response): Promise<unknown> {
    return write(way, response);
  }

  @Get(':way/by-request')
  getByRequest(@Param('way') way: string, @Req() request: Request): Promise<unknown> {
    return write(way, request.res!);
  }
}
