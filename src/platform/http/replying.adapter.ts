import { StreamableFile } from '@nestjs/common';
import type { DeclaredResponse } from '../contract/responses/declared-response.js';
import { JSON_TYPE } from '../contract/responses/media-types.js';
import type { EdgeResponse } from './request/edge-request.js';
import type { KeyedExchange } from './request/keyed-exchange.js';
import type { OperationRoute } from './request/operation-route.js';
import {
  assertHeaders,
  assertNothing,
  assertPlain,
  lengthViolation,
  ResponseViolation,
  serialise,
} from './response-violation.js';
import { measured } from './response/measured-stream.js';
import { reasonToRefuse } from './response/refused-writes.js';
import { textBody } from './text-body.js';
import { WatchedExpressAdapter } from './watched-express.adapter.js';

/** Writes what handlers return as the contract declares it. */
export class ReplyingAdapter extends WatchedExpressAdapter {
  override reply(response: EdgeResponse, body: unknown, statusCode?: number): unknown {
    const status = statusCode ?? response.statusCode;
    response.req.isHandling = false;
    const { operation, keyed } = response.req;
    // The response was refused, with a 500, while the handler ran.
    if (operation && response.writableEnded) {
      stop(body);
      return keyed && this.#answerKeyed(keyed, response, status, null);
    }
    if (!operation) return this.#send(response, body, status);
    // Throws here, where Nest's filters catch it: a stream writes its head too late for that.
    const declared = declaredResponse(response, operation, status);
    const { headers, mediaTypes, serialise: write } = declared;
    if (headers.length > 0) assertHeaders(response, operation, status, declared, body);
    if (mediaTypes.length === 0) assertNothing(operation, status, body);
    const mediaType = mediaTypes.length > 1 ? response.req.mediaType : mediaTypes[0];
    const json = write && mediaType === JSON_TYPE ? serialise(operation, status, write, body) : undefined;
    if (json !== undefined) assertPlain(response, operation, status);
    if (keyed) return this.#answerKeyed(keyed, response, status, json ?? null);
    if (json === undefined && mediaType === undefined) {
      stop(body);
      return this.#send(response, undefined, status);
    }
    // Without JSON there is another media type.
    const sent = json ?? textBody(response, operation, mediaType!, body);
    if (isNotModified(response, operation, status)) {
      stop(sent);
      return response.sendEmpty(304);
    }
    return json === undefined ? this.#send(response, sent, status) : response.sendJson(status, json);
  }

  #send(response: EdgeResponse, body: unknown, status: number): unknown {
    const { operation } = response.req;
    const sent = operation && body instanceof StreamableFile ? measuredFile(response, operation, status, body) : body;
    if (sent instanceof StreamableFile) this.#filterErrorsOf(sent);
    response.req.isChecked = true;
    response.showHead();
    return super.reply(response, sent, status);
  }

  /** Express would add a body, which no operation declares. */
  override redirect(response: EdgeResponse, statusCode: number, url: string): unknown {
    response.req.isHandling = false;
    const { operation, keyed } = response.req;
    if (!operation) return super.redirect(response, statusCode, url);
    response.status(statusCode).location(url);
    const declared = declaredResponse(response, operation, statusCode);
    assertHeaders(response, operation, statusCode, declared);
    if (declared.mediaTypes.length > 0)
      throw new ResponseViolation(operation, statusCode, 'a redirection has no body, but the contract declares one');
    return keyed ? this.#answerKeyed(keyed, response, statusCode, null) : response.sendEmpty(statusCode);
  }

  override render(response: EdgeResponse, view: string, options: object): unknown {
    response.req.isHandling = false;
    return super.render(response, view, options);
  }

  #answerKeyed(keyed: KeyedExchange, response: EdgeResponse, status: number, body: string | null): void {
    keyed.answer(status, body).catch((error: unknown) => this.filter(error, response.req, response));
  }

  /** Passes errors of the stream to Nest's filters. Nest itself would send their message to the caller. */
  #filterErrorsOf(file: StreamableFile): void {
    file.setErrorHandler((error, stream) => {
      // Nest declares only a part of the response that it passes.
      const response = stream as unknown as EdgeResponse;
      this.filter(error, response.req, response);
    });
  }
}

/** What the contract declares for a status. Throws when the response must not be sent with it. */
function declaredResponse(
  { req, statusMessage }: EdgeResponse,
  operation: OperationRoute,
  status: number,
): DeclaredResponse {
  const reason = reasonToRefuse(req, operation, status, statusMessage);
  if (reason) throw reason;
  return operation.responses.get(status)!; // another status is refused
}

/** Ends the source of a body that is not sent. */
function stop(body: unknown): void {
  if (body instanceof StreamableFile) body.getStream().destroy();
}

/** A file that fails where its length differs from the declared one, if that is known. */
function measuredFile(
  response: EdgeResponse,
  operation: OperationRoute,
  status: number,
  file: StreamableFile,
): StreamableFile {
  const { length, type, disposition } = file.getHeaders();
  const declared = response.getHeader('Content-Length') ?? length;
  // Nest reads no file for HEAD.
  if (declared === undefined || response.req.method === 'HEAD') return file;
  const stream = measured(file.getStream(), (bytes, hasEnded) => {
    const violation = lengthViolation(String(declared), bytes, hasEnded);
    return violation === undefined ? undefined : new ResponseViolation(operation, status, violation);
  });
  return new StreamableFile(stream, { length, type, disposition });
}

/** Whether the caller has the body already, where the operation declares 304: the handler has set a matching ETag. */
function isNotModified(response: EdgeResponse, operation: OperationRoute, status: number): boolean {
  const declared = operation.responses.get(304);
  // Without an ETag and a Last-Modified, Express would answer `If-None-Match: *` with 304.
  if (!declared || !(response.hasHeader('ETag') || response.hasHeader('Last-Modified'))) return false;
  // Express compares the headers of the response for a status of success only.
  response.statusCode = status;
  if (!response.req.fresh) return false;
  response.removeHeader('Content-Type');
  assertHeaders(response, operation, 304, declared);
  return true;
}
