import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { DomainError } from '../errors/domain-error.js';
import type { EdgeResponse } from './request/edge-request.js';
import { ErrorBody, FAILED } from '../errors/error-body.js';
import { setRefusalHeaders } from './send-error.js';

/** Makes the Error body of whatever was thrown. What nobody planned is logged in full and answered with one sentence. */
@Injectable()
@Catch()
export class ErrorFilter implements ExceptionFilter {
  readonly #logger = new Logger('ErrorFilter');

  constructor(private readonly adapters: HttpAdapterHost) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<EdgeResponse>();
    const body = this.#bodyOf(error, response);
    if (body.status >= 500) this.#logger.error({ err: error, operation: response.req.operation?.id }, body.message);
    if (response.writableEnded || response.destroyed) return;
    if (response.headersSent) {
      // Half an answer is out: the caller must not take it for a whole one.
      response.destroy();
      return;
    }
    setRefusalHeaders(response, body);
    this.adapters.httpAdapter.reply(response, body, body.status);
  }

  #bodyOf(error: unknown, response: EdgeResponse): ErrorBody {
    const body = toErrorBody(error);
    const { operation } = response.req;
    if (!operation || operation.responses.has(body.status)) return body;
    if (body.status < 500) {
      this.#logger.error(`${operation.id} failed with ${body.status}, which openapi.yaml does not declare`);
    }
    return FAILED;
  }
}

function toErrorBody(error: unknown): ErrorBody {
  if (error instanceof DomainError) return ErrorBody.ofDomainError(error);
  // Whoever throws a status above 500 says something to the caller; a 500 says that nobody planned it.
  return error instanceof HttpException && error.getStatus() !== 500 ? ErrorBody.ofException(error) : FAILED;
}
