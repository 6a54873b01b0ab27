import { ConflictException, Controller, Get, Param, Req, Res, UseInterceptors } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Observable } from 'rxjs';

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
  twice: (response) => (response.end('{"wrong":true}'), response.end('{"wrong":true}')),
};

async function write(way: string, response: Response): Promise<void> {
  await WAYS[way]!(response);
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
    return written instanceof Promise ? written : undefined;
  }

  @Get(':way/by-nest')
  @UseInterceptors(Passing)
  getByNest(@Param('way') way: string, @Res({ passthrough: true }) response: Response): Promise<void> {
    return write(way, response);
  }

  @Get(':way/by-request')
  getByRequest(@Param('way') way: string, @Req() request: Request): Promise<void> {
    return write(way, request.res!);
  }
}
