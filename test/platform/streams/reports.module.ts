import { ConflictException, Controller, Get, Module, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ReadableStream } from 'node:stream/web';

/** The bytes of a chunk, and how many of them a report has. */
export const CHUNK = 65_000;
export const CHUNKS = 1000;

/** What the streams have done. */
export const journal = { produced: 0, stopped: 0 };

async function* long(): AsyncGenerator<string> {
  journal.produced = 0;
  try {
    for (; journal.produced < CHUNKS; journal.produced += 1) yield 'x'.repeat(CHUNK);
  } finally {
    journal.stopped += 1;
  }
}

async function* broken(): AsyncGenerator<string> {
  yield 'first\n';
  throw new Error('the source is broken');
}

async function* refused(): AsyncGenerator<string> {
  if (journal.produced >= 0) throw new ConflictException('The report is locked.');
  yield 'never';
}

async function* mixed(): AsyncGenerator<string | object> {
  yield 'first\n';
  yield { secret: 'hunter2' };
}

/** No memory has room for it. */
const HUGE = 30_000_000;

async function* huge(): AsyncGenerator<Buffer> {
  yield Buffer.from('first\n');
  yield Buffer.alloc(HUGE, 'x');
}

/** Has no chunk, and no end. */
function silent(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: () => void (journal.produced = 0),
    cancel: () => void (journal.stopped += 1),
  });
}

/** Has chunks of so many bytes, and no end. */
function endless(bytes: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(bytes)),
    cancel: () => void (journal.stopped += 1),
  });
}

const REPORTS: Record<string, (response: Response) => unknown> = {
  // Its first chunk finds no room.
  wide: () => endless(HUGE),
  page: (response) => (response.setHeader('Content-Type', 'text/html'), endless(1)),
  long,
  silent,
  broken,
  refused,
  mixed,
  huge,
  'huge text': () => 'x'.repeat(HUGE),
  'huge bytes': () => Buffer.alloc(HUGE, 'x'),
};

@Controller('reports')
class ReportsController {
  @Get(':name')
  get(@Param('name') name: string, @Res({ passthrough: true }) response: Response): unknown {
    return REPORTS[name]!(response);
  }
}

/** What a generator does before its first chunk. */
const BEGINNINGS: Record<string, (response: Response) => void> = {
  counted: (response) => void response.setHeader('X-Total', '2'),
  miscounted: (response) => void response.setHeader('X-Total', 'many'),
  uncounted: () => {},
  page: (response) => void response.setHeader('X-Total', '2').setHeader('Content-Type', 'text/html'),
  unknown: (response) => void response.status(202).setHeader('X-Total', '2'),
  written: (response) => void response.setHeader('X-Total', '2').write('x'),
  empty: (response) => void response.status(204),
  tagged: (response) => void response.setHeader('X-Total', '2').setHeader('ETag', '"1"'),
};

@Controller('exports')
class ExportsController {
  @Get(':name')
  async *get(@Param('name') name: string, @Res({ passthrough: true }) response: Response): AsyncGenerator<string> {
    try {
      // As most handlers, it waits first.
      await Promise.resolve();
      BEGINNINGS[name]!(response);
      yield 'a\n';
      yield 'b\n';
    } finally {
      journal.stopped += 1;
    }
  }
}

@Module({ controllers: [ReportsController, ExportsController] })
export class ReportsModule {}
