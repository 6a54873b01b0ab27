import { BadRequestException, NotFoundException } from '@nestjs/common';
import type { EdgeRequest } from './edge-request.js';
import { pathOf } from './path-of.js';

/** A path that breaks a rule of a DTO: answered as one that breaks its schema. */
export class UnmetPathRule extends BadRequestException {}

/**
 * Called before each handler, after its pipes: a pipe may say in the words of its feature what does not exist. A path that
 * breaks the contract never reaches the handler.
 */
export function assertPathIsValid(request: EdgeRequest): void {
  const { pathViolations, operation } = request;
  if (!pathViolations) return;
  if (operation?.responses.has(404)) throw new NotFoundException(noResourceAt(request));
  throw new BadRequestException(pathViolations);
}

export function noResourceAt(request: EdgeRequest): string {
  return `No resource at ${pathOf(request.originalUrl ?? request.url)}.`;
}
