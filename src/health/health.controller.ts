import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Response } from 'express';
import { ApiExcludeController } from '@nestjs/swagger';
import { DatabaseHealth, type DatabaseChecks } from '../platform/database/database-health.js';
import { ContractAdapter } from '../platform/http/contract-adapter.js';

interface Readiness {
  readonly status: 'ready' | 'not ready';
  /** True means passed. */
  readonly checks: DatabaseChecks & { readonly notDraining: boolean };
}

/** For orchestrators and load balancers. Requires no key and is not part of the contract. */
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly database: DatabaseHealth,
    private readonly adapters: HttpAdapterHost<ContractAdapter>,
  ) {}

  /** The process responds. */
  @Get('live')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  /** The service can serve requests. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<Readiness> {
    const checks = { ...(await this.database.check()), notDraining: !this.adapters.httpAdapter.isDraining };
    const isReady = Object.values(checks).every(Boolean);
    if (!isReady) response.status(HttpStatus.SERVICE_UNAVAILABLE);
    return { status: isReady ? 'ready' : 'not ready', checks };
  }
}
