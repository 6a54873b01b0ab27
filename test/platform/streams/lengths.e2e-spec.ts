import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConflictException, Controller, Get, Module, Param, Res, StreamableFile, UseFilters } from '@nestjs/common';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { FAILED } from '../../properties/outcome.js';
import { type StartedApp, startApp } from '../../support/start-app.js';
import { baseContract, writeContract } from '../constructs/base-contract.js';
import { collectErrors } from '../nest/toys/log.js';

const TEN = '0123456789';

/** Chunks that are sent one after another: the first of them is on its way before the last one is known. */
const inChunks = (...texts: string[]): Readable => Readable.from(texts.map((text) => Buffer.from(text)));

async function* lines(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}

const journal = { destroyed: 0 };

/** Counts that it is destroyed, and waits for that. */
class Endless extends Readable {
  override _read(): void {
    this.push(TEN);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    journal.destroyed += 1;
    done(error);
  }
}

const ofLength = (body: Buffer | Readable, length: number): StreamableFile =>
  body instanceof Readable ? new StreamableFile(body, { length }) : new StreamableFile(body, { length });

const declaring = (response: Response, length: number | string, body: unknown): unknown => (
  response.setHeader('Content-Length', length),
  body
);

type Answer = (response: Response) => unknown;

/** More bytes than declared, and fewer; none was sent before that is known. */
const REFUSED: Record<string, [Answer, string]> = {
  'bytes-more': [() => ofLength(Buffer.from(TEN), 4), 'its Content-Length is 4, but its body has at least 10 bytes'],
  'bytes-fewer': [() => ofLength(Buffer.from('hi'), 9), 'its Content-Length is 9, but its body has 2 bytes'],
  'stream-more': [() => ofLength(inChunks('hello'), 3), 'its Content-Length is 3, but its body has at least 5 bytes'],
  'stream-no-bytes': [() => ofLength(inChunks(), 9), 'its Content-Length is 9, but its body has 0 bytes'],
  'stream-one-chunk-more': [
    () => ofLength(inChunks('hello', ' world'), 5),
    'its Content-Length is 5, but its body has at least 11 bytes',
  ],
  'header-more': [(response) => declaring(response, '3', inChunks('hello')), 'its Content-Length is 3'],
  'header-over-file': [
    (response) => declaring(response, 3, new StreamableFile(Buffer.from('hello'))),
    'its Content-Length is 3',
  ],
  'header-no-number': [(response) => declaring(response, 'five', inChunks('hello')), 'its Content-Length is five'],
  'generator-fewer': [(response) => declaring(response, 9, lines('hello')), 'its Content-Length is 9'],
  'of-letters': [() => ofLength(inChunks('é'), 1), 'its Content-Length is 1, but its body has at least 2 bytes'],
};

/** The same after a part was sent. */
const CUT: Record<string, [Answer, string]> = {
  'stream-more-later': [() => ofLength(inChunks('hello', ' wor', 'ld'), 9), 'its body has at least 11 bytes'],
  'stream-fewer-later': [() => ofLength(inChunks('hello', ' world'), 60), 'its body has 11 bytes'],
  'generator-more-later': [(response) => declaring(response, 9, lines('hello', ' wor', 'ld')), 'at least 11 bytes'],
  endless: [() => ofLength(new Endless(), 25), 'its body has at least 30 bytes'],
};

const RIGHT: Record<string, [Answer, string]> = {
  'bytes-right': [() => ofLength(Buffer.from('hello'), 5), 'hello'],
  'bytes-without': [() => Buffer.from('hello'), 'hello'],
  'stream-right': [() => ofLength(inChunks('hello', ' ', 'world'), 11), 'hello world'],
  'stream-of-nothing': [() => ofLength(inChunks(), 0), ''],
  'generator-right': [(response) => declaring(response, 11, lines('hello', ' wörl')), 'hello wörl'],
  'text-corrected': [(response) => declaring(response, 3, 'hello'), 'hello'],
  range: [
    (response) => {
      response.status(206).setHeader('Content-Range', 'bytes 2-5/10');
      return ofLength(inChunks('23', '45'), 4);
    },
    '2345',
  ],
};

/** A filter writes them. */
const WRITTEN: Record<string, [Answer, string]> = {
  'end-more': [(response) => response.type('csv').set('Content-Length', '3').end('hello'), 'its Content-Length is 3'],
  'end-fewer': [(response) => response.type('csv').set('Content-Length', '9').end('hello'), 'its Content-Length is 9'],
  'parts-more': [
    (response) => (response.type('csv').set('Content-Length', '3').write('hello'), response.end()),
    'its Content-Length is 3, but its body has at least 5 bytes',
  ],
};

const WRITTEN_CUT: Record<string, [Answer, string]> = {
  'parts-fewer': [
    (response) => (response.type('csv').set('Content-Length', '9').write('hello'), response.end()),
    'its Content-Length is 9, but its body has 5 bytes',
  ],
  'later-parts-more': [
    (response) => (response.type('csv').set('Content-Length', '9').write('hello'), response.end(' world')),
    'its Content-Length is 9, but its body has 11 bytes',
  ],
};

const ALL = { ...REFUSED, ...CUT, ...RIGHT };

@Catch(ConflictException)
class WritingFilter implements ExceptionFilter<ConflictException> {
  catch(error: ConflictException, host: ArgumentsHost): void {
    const [write] = { ...WRITTEN, ...WRITTEN_CUT }[error.message]!;
    write(host.switchToHttp().getResponse<Response>().status(202));
  }
}

@Controller('files')
@UseFilters(WritingFilter)
class FilesController {
  @Get(':name')
  get(@Param('name') name: string, @Res({ passthrough: true }) response: Response): unknown {
    if (name in ALL) return ALL[name]![0](response);
    throw new ConflictException(name);
  }
}

@Module({ controllers: [FilesController] })
class FilesModule {}

let service: StartedApp;
let errors: string[];

beforeAll(async () => {
  const contract = baseContract('3.0.3');
  const { get } = contract.paths['/things/{thingId}'];
  get.parameters[0].name = 'name';
  const content = { 'text/csv': { schema: { type: 'string' } } };
  Object.assign(get.responses, {
    200: { description: 'The file.', content },
    206: { description: 'A part of it.', content },
    202: { description: 'A file of a filter.', content },
  });
  contract.paths = { '/files/{name}': { get } };
  const file = writeContract(contract);
  service = await startApp({}, { contractFile: file, features: [FilesModule] });
  errors = collectErrors(service.app);
});

beforeEach(() => void errors.splice(0));

/** Sends two requests on a connection, and resolves with all that it receives until the server closes it. */
function exchange(name: string, method = 'GET'): Promise<string> {
  return new Promise((resolve, reject) => {
    const head = (path: string, rest: string) =>
      `${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.key}\r\n${rest}\r\n`;
    const socket = connect(service.port, '127.0.0.1', () => {
      socket.write(head(`${method} /v1/files/${name}`, '') + head('GET /live', 'Connection: close\r\n'));
    });
    let received = '';
    socket.setEncoding('utf8').on('data', (text) => (received += text));
    socket.on('error', reject).on('close', () => resolve(received));
  });
}

/** The responses of a connection: the status, and the text after the head. */
function split(received: string): [status: number, body: string][] {
  return received
    .split(/HTTP\/1\.1 (?=\d)/)
    .slice(1)
    .map((text) => [Number(text.slice(0, 3)), text.slice(text.indexOf('\r\n\r\n') + 4)]);
}

const bodyOf = (text: string): string => text.replaceAll(/(^|\r\n)[\da-f]+\r\n/g, '').trim();

describe('a body that is not as long as its Content-Length', () => {
  it.each(Object.entries(REFUSED))('is replaced by a 500 before anything was sent: %s', async (name, [, reason]) => {
    const [[status, body] = [], [next] = []] = split(await exchange(name));
    expect([status, JSON.parse(body!), next]).toEqual([500, FAILED.body, 200]);
    expect(errors).toHaveLength(1);
    expect(errors.join()).toContain(`getThing returned 200: ${reason}`);
  });

  it.each(Object.entries(CUT))('is cut when a part was sent: %s', async (name, [, reason]) => {
    const received = await exchange(name);
    const responses = split(received);
    expect(responses).toHaveLength(1);
    const [[status, body]] = responses as [[number, string]];
    expect(status).toBe(200);
    expect(body.length).toBeLessThan(Number(/Content-Length: (\d+)/i.exec(received)![1]));
    expect(errors).toHaveLength(1);
    expect(errors.join()).toContain(`getThing returned 200: `);
    expect(errors.join()).toContain(reason);
  });

  it('ends its source', async () => {
    const { destroyed } = journal;
    await exchange('endless');
    expect(journal.destroyed).toBe(destroyed + 1);
  });

  it.each(Object.entries(WRITTEN))('is replaced by a 500 when a filter writes it: %s', async (name, [, reason]) => {
    const [[status, body] = [], [next] = []] = split(await exchange(name));
    expect([status, JSON.parse(body!), next]).toEqual([500, FAILED.body, 200]);
    expect(errors.join()).toContain(`getThing returned 202: ${reason}`);
  });

  it.each(Object.entries(WRITTEN_CUT))('is cut when a filter has written a part: %s', async (name, [, reason]) => {
    const responses = split(await exchange(name));
    expect(responses.length).toBeLessThanOrEqual(1);
    expect(responses.map(([, body]) => body).join()).not.toContain('world');
    expect(errors).toHaveLength(1);
    expect(errors.join()).toContain(`getThing returned 202: ${reason}`);
  });
});

describe('a body that is as long as its Content-Length', () => {
  it.each(Object.entries(RIGHT))('is sent, and the connection is kept: %s', async (name, [, text]) => {
    const [[status, body] = [], [next] = []] = split(await exchange(name));
    expect([status, bodyOf(body!), next]).toEqual([name === 'range' ? 206 : 200, text, 200]);
    expect(errors).toEqual([]);
  });

  it.each(['bytes-more', 'bytes-fewer', 'stream-right', 'header-more', 'generator-fewer'])(
    'or of another one has the declared length for HEAD, whose body is not read: %s',
    async (name) => {
      const received = await exchange(name, 'HEAD');
      const [[status, body] = [], [next] = []] = split(received);
      expect([status, body, next]).toEqual([200, '', 200]);
      expect(received).toMatch(/Content-Length: \d+\r\n/i);
      expect(errors).toEqual([]);
    },
  );
});
