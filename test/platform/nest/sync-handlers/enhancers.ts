import {
  type ArgumentMetadata,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  HttpException,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { note } from './journal.js';
import { show } from './routes.js';

/** Records its request in the journal. */
export function guard(name: string, verdict: (context: ExecutionContext) => unknown): CanActivate {
  return {
    canActivate: (context) => {
      const { url } = context.switchToHttp().getRequest<Request>();
      note(`guard ${name} of ${context.getType()} ${context.getClass().name}.${context.getHandler().name} ${url}`);
      return verdict(context) as boolean;
    },
  };
}

export const allow = (name: string): CanActivate => guard(name, () => true);

/** Appends its name by default. */
export function pipe(
  name: string,
  transform: (value: unknown) => unknown = (value) => `${String(value)} ${name}`,
): PipeTransform {
  return {
    transform: (value: unknown, { type, data, metatype }: ArgumentMetadata) => {
      note(`pipe ${name} of ${type} ${String(data)} ${metatype?.name}: ${show(value)}`);
      return transform(value);
    },
  };
}

export function interceptor(
  name: string,
  intercept: (next: CallHandler) => unknown = (next) => next.handle(),
): NestInterceptor {
  return {
    intercept: (context, next) => {
      note(`interceptor ${name} before ${context.getHandler().name}`);
      const noted: CallHandler = {
        handle: () => next.handle().pipe(tap({ next: (value) => note(`interceptor ${name} after ${show(value)}`) })),
      };
      return intercept(noted) as Observable<unknown>;
    },
  };
}

/** Responds with the message of the error, unless the handler has already responded. */
export function filter(name: string): ExceptionFilter {
  return {
    catch: (error: unknown, host: ArgumentsHost) => {
      const { message = show(error) } = Object(error) as { message?: string };
      note(`filter ${name} of ${host.getType()}: ${message}`);
      const response = host.switchToHttp().getResponse<Response>();
      if (response.headersSent) return;
      response.status(error instanceof HttpException ? error.getStatus() : 500).json({ [name]: message });
    },
  };
}
