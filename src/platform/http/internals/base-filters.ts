import { type ExceptionFilter, HttpException } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';

const { prototype } = BaseExceptionFilter;
/** Nest's own methods, before they are replaced. */
const nests = Object.create(null, Object.getOwnPropertyDescriptors(prototype)) as BaseExceptionFilter;

/** What answers exceptions in each application of this process. */
const defaults = new WeakMap<object, ExceptionFilter>();

/**
 * A filter that extends BaseExceptionFilter calls `super.catch` for the default of the application. Nest's own default has a
 * body that no contract declares; from now on, `filter` answers.
 */
export function answerForBaseFilters(adapter: object, filter: ExceptionFilter): void {
  defaults.set(adapter, filter);
  prototype.catch = function (exception, host) {
    const answering = defaults.get(adapterOf(this));
    // Nest's `catch` passes other errors to `handleUnknownError`, which a filter may override.
    if (answering && exception instanceof HttpException) answering.catch(exception, host);
    else nests.catch.call(this, exception, host);
  };
  prototype.handleUnknownError = function (exception, host, applicationRef) {
    const answering = defaults.get(applicationRef);
    if (answering) answering.catch(exception, host);
    else nests.handleUnknownError.call(this, exception, host, applicationRef);
  };
}

/** The adapter that a filter was given, or that Nest has injected. */
function adapterOf(filter: BaseExceptionFilter): object {
  // Nest declares both members protected.
  const { applicationRef, httpAdapterHost } = filter as unknown as {
    applicationRef?: object;
    httpAdapterHost?: { httpAdapter: object };
  };
  return applicationRef ?? httpAdapterHost?.httpAdapter ?? filter;
}
