import { BadRequestException, type HttpException, NotFoundException } from '@nestjs/common';
import type { EdgeRequest } from './edge-request.js';
import { pathOf } from './path-of.js';

/** A path that breaks a rule of a DTO. The response is the same as for one that breaks its schema. */
export class UnmetPathRule extends BadRequestException {}

/**
 * Keeps a path that breaks the contract from its handler. Called after the pipes, so that a pipe of a feature may first
 * report what does not exist, in its own words.
 */
export function assertPathIsValid(request: EdgeRequest): void {
  const { pathViolations } = request;
  if (!pathViolations) return;
  throw pathRefusal(request, pathViolations);
}

/** The error of a path that breaks the contract: 404, or 400 where the operation declares no 404. */
export function pathRefusal(request: EdgeRequest, violations: readonly string[]): HttpException {
  if (request.operation?.responses.has(404)) return new NotFoundException(noResourceAt(request));
  return new BadRequestException(violations);
}

export function noResourceAt(request: EdgeRequest): string {
  return `No resource at ${pathOf(request.originalUrl ?? request.url)}.`;
}
