import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type DatabaseChecks, DatabaseHealth } from '../platform/database/database-health.js';
import type { ContractAdapter } from '../platform/http/contract-adapter.js';

interface Report {
  readonly status: 'ready' | 'not ready';
  /** True means passed. */
  readonly checks: DatabaseChecks & { readonly notDraining: boolean };
}

/** Whether the service can serve requests. */
@Injectable()
export class Readiness {
  constructor(
    private readonly database: DatabaseHealth,
    private readonly adapters: HttpAdapterHost<ContractAdapter>,
  ) {}

  async check(): Promise<Report> {
    const checks = { ...(await this.database.check()), notDraining: !this.adapters.httpAdapter.isDraining };
    return { status: Object.values(checks).every(Boolean) ? 'ready' : 'not ready', checks };
  }
}
