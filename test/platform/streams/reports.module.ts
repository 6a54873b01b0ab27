import { ConflictException, Controller, Get, Module, Param } from '@nestjs/common';

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

const REPORTS: Record<string, () => unknown> = {
  long,
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
  get(@Param('name') name: string): unknown {
    return REPORTS[name]!();
  }
}

@Module({ controllers: [ReportsController] })
export class ReportsModule {}
