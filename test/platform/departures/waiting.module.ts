import {
  Controller,
  Get,
  HttpCode,
  type MessageEvent,
  Module,
  Param,
  Post,
  Req,
  Res,
  Sse,
  StreamableFile,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import type { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { finalize, type Observable, Subject } from 'rxjs';

/** Bytes of a text that fill the socket buffers of both sides. */
export const MANY_BYTES = 16_000_000;
/** The lines of a stream with pauses, which takes longer than the service waits for a client that is silent. */
export const LINES = 16;
/** Milliseconds. */
const PAUSE = 500;

/** The handlers that have begun, and those that have ended, by the name of their client. */
export const journal = { begun: new Set<string>(), ended: new Set<string>() };
/** What the streams of events send. */
export const news = new Subject<MessageEvent>();

type Way = (request: Request, response: Response) => Promise<unknown>;

/** Ends with the event only: `once` of Node would also throw the error that a request may emit before it. */
function happens(emitter: EventEmitter, event: string): Promise<void> {
  return new Promise((resolve) => void emitter.once(event, () => resolve()));
}

async function untilAborted(_: Request, response: Response): Promise<void> {
  const leaving = new AbortController();
  response.once('close', () => leaving.abort());
  await delay(600_000, undefined, { signal: leaving.signal, ref: false }).catch(() => undefined);
}

/** How a handler waits, by the first word of the name of its client. */
const WAYS: Record<string, Way> = {
  response: (_, response) => happens(response, 'close'),
  signal: untilAborted,
  request: (request) => happens(request, 'close'),
  aborted: (request) => happens(request, 'aborted'),
  socket: ({ socket }) => happens(socket, 'close'),
  end: ({ socket }) => happens(socket, 'end'),
  pause: async ({ socket }) => {
    await happens(socket, 'end');
    await delay(6 * PAUSE);
  },
};

async function* lines(): AsyncGenerator<string> {
  for (let line = 0; line < LINES; line += 1) {
    yield 'x'.repeat(9) + '\n';
    await delay(PAUSE);
  }
}

function silent(name: string): StreamableFile {
  const source = new Readable({
    read: () => undefined,
    destroy(error, done) {
      journal.ended.add(name);
      done(error);
    },
  });
  source.push('first\n');
  return new StreamableFile(source);
}

@Controller()
class WaitingController {
  @Get('polls/:name')
  poll(
    @Param('name') name: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.#wait(name, request, response);
  }

  @Post('polls/:name')
  @HttpCode(200)
  change(
    @Param('name') name: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.#wait(name, request, response);
  }

  async #wait(name: string, request: Request, response: Response): Promise<object> {
    journal.begun.add(name);
    await WAYS[name.split('-')[0]!]!(request, response);
    journal.ended.add(name);
    return { name };
  }

  @Sse('events/:name')
  follow(@Param('name') name: string): Observable<MessageEvent> {
    journal.begun.add(name);
    return news.pipe(finalize(() => journal.ended.add(name)));
  }

  @Get('texts/:name')
  read(@Param('name') name: string): unknown {
    journal.begun.add(name);
    if (name.startsWith('silent')) return silent(name);
    return name.startsWith('lines') ? lines() : 'x'.repeat(MANY_BYTES);
  }
}

@Module({ controllers: [WaitingController] })
export class WaitingModule {}
