import type { CanActivate, ExecutionContext, INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Contract, Operation } from '../contract/contract.js';
import { StartError } from '../process/start-error.js';
import { assertAccepts } from './response/own-headers.js';
import { RequestGuard } from './request.guard.js';
import type { Authenticator, EdgeRequest } from './request/edge-request.js';

const HEADER = 'WWW-Authenticate';

/** A global guard (APP_GUARD) that enforces one security scheme of the contract, for the operations that require it. */
export abstract class SchemeGuard implements CanActivate, Authenticator {
  /** The name in `components.securitySchemes`. */
  protected abstract readonly scheme: string;

  /**
   * What it sends as `WWW-Authenticate`, by status: the contract must accept that. Needed where the contract requires the
   * header of a 401, or restricts it.
   */
  protected readonly challenges: Readonly<Record<number, readonly string[]>> = {};

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    // Cheaper than `switchToHttp()`, which creates three functions on each call.
    const request = context.getArgByIndex<EdgeRequest>(0);
    if (request.operation?.scheme !== this.scheme) return true;
    request.authenticator = this;
    return this.authenticate(request);
  }

  /**
   * Throws an UnauthorizedException for a request without valid credentials, after it has set the headers that a 401
   * requires. Never returns false: Nest would answer that with 403.
   */
  protected abstract authenticate(request: EdgeRequest): true | Promise<true>;

  /**
   * Called for a request that `authenticate` has accepted, once its body has arrived, which a caller can delay. A guard whose
   * credentials can end meanwhile overrides it, and throws as `authenticate` does.
   */
  reauthenticate(_request: EdgeRequest): void {
    // Unless a guard says otherwise, what it has accepted stays accepted.
  }

  /**
   * Throws a StartError for a scheme of the contract that no global guard enforces before the RequestGuard reads the request,
   * and for an operation that refuses the challenges of its guard. Call after `app.init()`.
   */
  static assertComplete(app: INestApplication, { schemes, operations }: Contract): void {
    const guards = globalGuardsOf(app);
    const reading = guards.findIndex((guard) => guard instanceof RequestGuard);
    for (const guard of guards) if (guard instanceof SchemeGuard) guard.#assertChallenges(operations);
    for (const { name, position } of schemes) {
      const own = guards.findLastIndex((guard) => guard instanceof SchemeGuard && guard.scheme === name);
      if (own === -1) {
        throw new StartError(
          `${position} no guard enforces the security scheme "${name}"; register a SchemeGuard for it as APP_GUARD, or remove the scheme.`,
        );
      }
      if (own < reading) continue;
      throw new StartError(
        `${position} the guard of the security scheme "${name}" runs after the RequestGuard, so that a request is read before its credentials are checked; register it as APP_GUARD in src/app.module.ts, before the RequestGuard.`,
      );
    }
  }

  #assertChallenges(operations: readonly Operation[]): void {
    const own = operations.filter(({ scheme }) => scheme === this.scheme);
    for (const { responses } of own) {
      const rule = this.challenges[401]
        ? undefined
        : responses.get(401)?.headers.find(({ name }) => name === HEADER.toLowerCase());
      if (rule) {
        throw new StartError(
          `${rule.position} the guard of the security scheme "${this.scheme}" does not list what it sends as WWW-Authenticate; add "challenges = { 401: ['...'] }" to it, or make the header an optional text without restrictions here.`,
        );
      }
      for (const [status, values] of Object.entries(this.challenges)) {
        const response = responses.get(Number(status));
        if (response) assertAccepts(response, Number(status), HEADER, values);
      }
    }
  }
}

/** In the order in which they run: that of the modules, from the root on, and of the providers of each. */
function globalGuardsOf(app: INestApplication): unknown[] {
  return [...app.get(ModulesContainer).values()]
    .flatMap(({ providers }) => [...providers.values()])
    .filter(({ subtype }) => subtype === 'guard')
    .map(({ instance }): unknown => instance);
}
