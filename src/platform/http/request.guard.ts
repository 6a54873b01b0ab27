import { BadRequestException, type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { RequestBody } from '../contract/contract.js';
import type { EdgeRequest } from './request/edge-request.js';
import { readJson } from '../values/json-reader.js';
import { readBody } from './read-body.js';

/**
 * Reads the body of an operation that declares one. It is a guard because of the order: it runs after the key is checked, so
 * that a request without a key never has its body parsed, and before interceptors, pipes and handler read `request.body`.
 */
@Injectable()
export class RequestBodyGuard implements CanActivate {
  /** `limit` is in bytes. */
  constructor(private readonly limit: number) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.getArgByIndex<EdgeRequest>(0);
    const declared = request.operation?.requestBody;
    return declared ? this.#read(request, declared) : true;
  }

  async #read(request: EdgeRequest, declared: RequestBody): Promise<true> {
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
