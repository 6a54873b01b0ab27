import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { EdgeRequest } from './edge-request.js';

/** Injects the media type in which a handler must return its result: the one that the request prefers, of those declared. */
export const AcceptedType = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { mediaType, operation } = context.switchToHttp().getRequest<EdgeRequest>();
  return mediaType ?? [...(operation?.responses.values() ?? [])].flatMap(({ mediaTypes }) => mediaTypes)[0];
});
