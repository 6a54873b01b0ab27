import { StreamableFile } from '@nestjs/common';
import { onceClosed, RouterResponseController } from '@nestjs/core/router/router-response-controller.js';
import {
  isStreamingBodyConsumed,
  isWebResponse,
  openStreamingBody,
  type StreamingBody,
} from '@nestjs/core/router/streaming-body.js';
import { AsyncResource } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { EdgeRequest, EdgeResponse } from '../request/edge-request.js';

type Description = Parameters<RouterResponseController['stream']>;

/**
 * Sends what the handler of an operation yields as a file of the declared media type. Nest itself would choose the media
 * type by the first chunk, write objects as JSON past the contract, and treat a stream without chunks as no body.
 */
export class StreamedBodies extends RouterResponseController {
  override async stream(...description: Description): Promise<unknown> {
    const [body, response, request, { statusCode } = {}] = description as [
      StreamingBody,
      EdgeResponse,
      EdgeRequest,
      Description[3],
    ];
    if (!request.operation || isWebResponse(body) || isStreamingBodyConsumed(body)) return super.stream(...description);
    const chunks = new Chunks(openStreamingBody(body), request);
    // What a generator does before its first chunk is a part of the handler: it may set a status and headers, or throw.
    if (!(await chunks.begin())) return undefined;
    const stream = Readable.from(chunks);
    try {
      return await this.apply(new StreamableFile(stream), response, statusCode);
    } catch (error) {
      // Nest cannot stop a stream that has a reader.
      stream.destroy();
      throw error;
    }
  }
}

type Chunk = IteratorResult<unknown>;

/**
 * Reads a chunk only when the response can take one. Anything but text and bytes is an error of the stream (StreamableFile).
 */
class Chunks implements AsyncIterableIterator<unknown> {
  #first?: Chunk;
  /** Another request on the connection may make room for the next chunk: its asynchronous context does not apply here. */
  readonly #context = new AsyncResource('Chunks');

  constructor(
    private readonly source: ReturnType<typeof openStreamingBody>,
    private readonly request: EdgeRequest,
  ) {}

  /** Reads the first chunk. Stops and resolves to false when the client leaves before there is one. */
  async begin(): Promise<boolean> {
    const first = await untilClosed(this.request.socket, this.#read()).catch((error: unknown) => {
      this.#stop();
      throw error;
    });
    if (first) this.#first = first;
    // A generator stops when its next chunk is ready.
    else this.#stop();
    return first !== undefined;
  }

  next(): Promise<Chunk> {
    const first = this.#first;
    this.#first = undefined;
    return first ? Promise.resolve(first) : this.#context.runInAsyncScope(() => this.#read());
  }

  return(): Promise<Chunk> {
    return this.#context.runInAsyncScope(async () => {
      await this.source.return();
      return { done: true, value: undefined };
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #stop(): void {
    this.source.return().catch(() => undefined);
  }

  async #read(): Promise<Chunk> {
    const result = await this.source.next();
    const { length = 0 } = (result.value ?? {}) as { length?: number };
    this.request.memory?.assertRoomFor(length);
    return result;
  }
}

/** The result, or undefined once the socket is closed. */
function untilClosed<Result>(socket: Socket, result: Promise<Result>): Promise<Result | undefined> {
  let stop: (() => void) | undefined;
  const closed = new Promise<undefined>((resolve) => {
    if (socket.destroyed) resolve(undefined);
    else stop = onceClosed(socket, () => resolve(undefined));
  });
  return Promise.race([result, closed]).finally(() => stop?.());
}
