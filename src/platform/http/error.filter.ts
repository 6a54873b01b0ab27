import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { DomainError } from '../errors/domain-error.js';
import { ErrorBody, FAILED } from '../errors/error-body.js';
import { OutageLog } from '../errors/outage-log.js';
import { answerForBaseFilters } from './internals/base-filters.js';
import { endBodiesOfFailures } from './internals/failed-requests.js';
import type { EdgeResponse } from './request/edge-request.js';
import type { KeyedExchange } from './request/keyed-exchange.js';
import { noResourceAt, pathRefusal, UnmetPathRule } from './request/path-violations.js';
import { sendError } from './send-error.js';

/** Answers every exception with an Error body. Logs unexpected ones, and hides their message from the caller. */
@Injectable()
@Catch()
export class ErrorFilter implements ExceptionFilter {
  readonly #logger = new Logger('ErrorFilter');

  constructor(
    private readonly adapters: HttpAdapterHost,
    private readonly outages: OutageLog,
  ) {
    answerForBaseFilters(adapters.httpAdapter, this);
    endBodiesOfFailures();
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<EdgeResponse>();
    const { keyed } = response.req;
    if (keyed) void this.#answerKeyed(keyed, error, response);
    else this.#answer(error, response);
  }

  async #answerKeyed(keyed: KeyedExchange, error: unknown, response: EdgeResponse): Promise<void> {
    try {
      const failure = await keyed.fail(error);
      if (failure) this.#answer(failure.error, response);
    } catch (failure) {
      const { operation, requestId } = response.req;
      this.#logger.error({ err: failure, operationId: operation?.id, requestId }, 'An error response cannot be sent.');
      response.destroy();
    }
  }

  #answer(error: unknown, response: EdgeResponse): void {
    const { body, undeclared } = this.#bodyOf(error, response);
    const { operation, requestId } = response.req;
    if (error instanceof DomainError && error.kind === 'unavailable')
      this.outages.addFailure(body.message, error.cause);
    else if (body.status >= 500)
      this.#logger.error(
        { err: error ?? String(error), operationId: operation?.id, requestId },
        undeclared ?? body.message,
      );
    if (response.writableEnded || response.destroyed) return;
    // Part of the response is sent: the caller must not mistake it for a complete one.
    if (response.headersSent) response.destroy();
    else sendError(response, body);
  }

  /** The body to send, and for a refusal that the contract does not declare, what to log instead of its message. */
  #bodyOf(error: unknown, response: EdgeResponse): { body: ErrorBody; undeclared?: string } {
    // Nest does so only for errors that Express passes on: those of http-errors become exceptions with their status.
    const body = toErrorBody(this.adapters.httpAdapter.mapException(error));
    const { operation, pathViolations } = response.req;
    if (error instanceof UnmetPathRule && operation?.responses.has(404)) {
      return { body: ErrorBody.of('NOT_FOUND', noResourceAt(response.req)) };
    }
    if (!operation || operation.responses.has(body.status)) return { body };
    if (body.status === FAILED.status) return { body };
    // A pipe such as ParseIntPipe has refused a path that the contract refuses too, with an undeclared status.
    if (pathViolations && body.status < 500)
      return { body: ErrorBody.ofException(pathRefusal(response.req, pathViolations)) };
    const undeclared = `${operation.id} failed with ${body.status}, which openapi.yaml does not declare; declare the status there, or throw another one.`;
    return { body: FAILED, undeclared };
  }
}

function toErrorBody(error: unknown): ErrorBody {
  if (error instanceof DomainError) return ErrorBody.ofDomainError(error);
  // A plain 500 is unexpected: hide its message.
  return error instanceof HttpException && error.getStatus() !== 500 ? ErrorBody.ofException(error) : FAILED;
}
