import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Response } from 'express';
import { ApiExcludeController } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { readMigrationState } from '../platform/database/migration-state.js';
import { ContractAdapter } from '../platform/http/contract-adapter.js';

interface Readiness {
  readonly status: 'ready' | 'not ready';
  /** True means passed. */
  readonly checks: { readonly database: boolean; readonly migrations: boolean; readonly notDraining: boolean };
}

/** For orchestrators and load balancers. Requires no key and is not part of the contract. */
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly dataSource: DataSource,
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
    const checks = { ...(await this.#databaseChecks()), notDraining: !this.adapters.httpAdapter.isDraining };
    const isReady = Object.values(checks).every(Boolean);
    if (!isReady) response.status(HttpStatus.SERVICE_UNAVAILABLE);
    return { status: isReady ? 'ready' : 'not ready', checks };
  }

  async #databaseChecks(): Promise<{ database: boolean; migrations: boolean }> {
    const database = await orFalse(this.dataSource.query('SELECT 1').then(() => true));
    const isMigrated = async () => (await readMigrationState(this.dataSource)).missing.length === 0;
    return { database, migrations: database && (await orFalse(isMigrated())) };
  }
}

/** A check that fails counts as false. */
function orFalse(check: Promise<boolean>): Promise<boolean> {
  return check.catch(() => false);
}
