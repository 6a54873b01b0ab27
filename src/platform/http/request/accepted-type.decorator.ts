import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { EdgeRequest } from './edge-request.js';

/** What the decorator runs; it only reads the request. */
export const acceptedType = (_: unknown, context: ExecutionContext): string | undefined => {
  const { mediaType, operation } = context.switchToHttp().getRequest<EdgeRequest>();
  return mediaType ?? [...(operation?.responses.values() ?? [])].flatMap(({ mediaTypes }) => mediaTypes)[0];
};

/** Injects the media type in which a handler must return its result: the one that the request prefers, of those declared. */
export const AcceptedType = createParamDecorator(acceptedType);
