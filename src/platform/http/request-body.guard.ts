import { BadRequestException, type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { EdgeRequest } from './request/edge-request.js';
import { readJson } from '../values/json-reader.js';
import { readBody } from './read-body.js';

/**
 * Reads the body of an operation that declares one. A guard because of its place: after the key is checked, so that
 * nobody without a key has a body parsed, and before interceptors, pipes and handler, which find `request.body`.
 */
@Injectable()
export class RequestBodyGuard implements CanActivate {
  /** `limit` is in bytes. */
  constructor(private readonly limit: number) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.getArgByIndex<EdgeRequest>(0);
    return request.operation?.requestBody ? this.#read(request) : true;
  }

  async #read(request: EdgeRequest): Promise<true> {
    const declared = request.operation!.requestBody!;
    const bytes = await readBody(request, declared, this.limit);
    if (bytes.length > 0) request.body = parse(bytes);
    else if (declared.isRequired) throw new BadRequestException('The request must have a JSON body.');
    return true;
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return readJson(bytes);
  } catch (error) {
    throw new BadRequestException(`The body is not valid JSON: ${(error as SyntaxError).message}.`);
  }
}
