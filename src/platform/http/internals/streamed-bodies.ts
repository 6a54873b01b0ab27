import { StreamableFile } from '@nestjs/common';
import { RouterResponseController } from '@nestjs/core/router/router-response-controller.js';
import {
  isStreamingBodyConsumed,
  isWebResponse,
  openStreamingBody,
  type StreamingBody,
} from '@nestjs/core/router/streaming-body.js';
import { AsyncResource } from 'node:async_hooks';
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
    return this.apply(new StreamableFile(chunksOf(body, request)), response, statusCode);
  }
}

/** Reads a chunk only when the response can take one. Anything but text and bytes is an error of the stream (StreamableFile). */
function chunksOf(body: Exclude<StreamingBody, Response>, { memory }: EdgeRequest): Readable {
  const iterator = openStreamingBody(body);
  const next = async (): Promise<IteratorResult<unknown>> => {
    const result = await iterator.next();
    const { length = 0 } = (result.value ?? {}) as { length?: number };
    memory?.assertRoomFor(length);
    return result;
  };
  const stop = async (): Promise<IteratorResult<unknown>> => {
    await iterator.return();
    return { done: true, value: undefined };
  };
  // Another request on the connection may make room for the next chunk: its asynchronous context does not apply here.
  const chunks = { next: AsyncResource.bind(next), return: AsyncResource.bind(stop) };
  return Readable.from({ [Symbol.asyncIterator]: () => chunks });
}
