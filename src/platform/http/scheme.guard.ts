import type { CanActivate, ExecutionContext, INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Contract } from '../contract/contract.js';
import { StartError } from '../process/start-error.js';
import type { EdgeRequest } from './request/edge-request.js';

/** A global guard (APP_GUARD) that enforces one security scheme of the contract, for the operations that require it. */
export abstract class SchemeGuard implements CanActivate {
  /** The name in `components.securitySchemes`. */
  protected abstract readonly scheme: string;

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    // Cheaper than `switchToHttp()`, which creates three functions on each call.
    const request = context.getArgByIndex<EdgeRequest>(0);
    return request.operation?.scheme === this.scheme ? this.authenticate(request) : true;
  }

  /** Throws an UnauthorizedException for a request without valid credentials. */
  protected abstract authenticate(request: EdgeRequest): boolean | Promise<boolean>;

  /** Throws a StartError for a scheme of the contract that no global guard enforces. Call after `app.init()`. */
  static assertComplete(app: INestApplication, { schemes }: Contract): void {
    const providers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.providers.values()]);
    const guarded = new Set(
      providers
        .filter(({ subtype, instance }) => subtype === 'guard' && instance instanceof SchemeGuard)
        .map(({ instance }) => (instance as SchemeGuard).scheme),
    );
    for (const { name, position } of schemes) {
      if (guarded.has(name)) continue;
      throw new StartError(
        `${position} no guard enforces the security scheme "${name}"; register a SchemeGuard for it as APP_GUARD, or remove the scheme.`,
      );
    }
  }
}
