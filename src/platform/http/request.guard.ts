import { BadRequestException, type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { RequestBody } from '../contract/contract.js';
import type { RequestCheck } from '../contract/requests/request-check.js';
import type { EdgeRequest } from './request/edge-request.js';
import type { KeyedExchange } from './request/keyed-exchange.js';
import { readJson } from '../values/json-reader.js';
import { chooseMediaType } from './request/choose-media-type.js';
import { originForm } from './request/path-of.js';
import { readBody } from './read-body.js';

/**
 * Chooses the media type of the response where there are several, reads the body of an operation that declares one, and
 * checks the request against the contract. It is a guard because of the order: it runs after the key is checked, so
 * that a request without a key never has its body parsed, and before interceptors, pipes and handler read
 * `request.body` and `request.query`. The guard of the key cannot run a second time, so it leaves itself in the request, for
 * the check after the body.
 */
@Injectable()
export class RequestGuard implements CanActivate {
  /** `limit` is in bytes. */
  constructor(private readonly limit: number) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.getArgByIndex<EdgeRequest>(0);
    const { operation } = request;
    if (operation?.mediaTypes) {
      request.mediaType = chooseMediaType(request, operation.mediaTypes, operation.responses.has(406));
    }
    if (operation?.requestBody) return this.#readAndCheck(request, operation.requestBody, operation.check);
    if (operation) check(request, operation.check);
    return request.keyed ? begin(request, request.keyed, NO_BODY) : true;
  }

  #readAndCheck(request: EdgeRequest, declared: RequestBody, requestCheck: RequestCheck): Promise<boolean> {
    const waitsSince = request.complete ? undefined : performance.now();
    return readBody(request, declared, this.limit).then((bytes) => {
      if (waitsSince !== undefined) {
        request.bodyWait = performance.now() - waitsSince;
        // Its caller decides when a body arrives, and must not keep a request ready until after the end of its credentials.
        request.authenticator?.reauthenticate(request);
      }
      if (bytes.length > 0) request.body = parse(bytes);
      else if (declared.isRequired) throw new BadRequestException('The request must have a JSON body.');
      check(request, requestCheck);
      return request.keyed ? begin(request, request.keyed, bytes) : true;
    });
  }
}

const NO_BODY = Buffer.alloc(0);

async function begin({ headers, method, originalUrl }: EdgeRequest, keyed: KeyedExchange, body: Buffer): Promise<true> {
  // A string: Node joins the values of a repeated header.
  const key = String(headers['idempotency-key']);
  // A repetition may come through a proxy, which sends the absolute form.
  await keyed.begin({ key, method, target: originForm(originalUrl), body });
  return true;
}

function check(request: EdgeRequest, { path, rest }: RequestCheck): void {
  const violations = rest?.(request) ?? [];
  if (violations.length > 0) throw new BadRequestException(violations);
  const pathViolations = path?.(request) ?? [];
  // Refused by `assertPathIsValid`, unless a pipe of the handler refuses it first in the feature's own words.
  if (pathViolations.length > 0) request.pathViolations = pathViolations;
}

function parse(bytes: Buffer): unknown {
  try {
    return readJson(bytes);
  } catch (error) {
    throw new BadRequestException(`The body is not valid JSON: ${(error as SyntaxError).message}.`);
  }
}
